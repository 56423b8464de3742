import SharingCore

/// A shared list and its model.
final class WalkList {
  let shared: Shared<[WalkRow]>
  let cell: WalkCell
  private let getRows: () -> [WalkRow]
  private let setRows: ([WalkRow]) -> Void
  /// What of it has been changed in the turn under way.
  var touch = WalkTouch()

  init(
    _ shared: Shared<[WalkRow]>, _ cell: WalkCell, get: @escaping () -> [WalkRow],
    set: @escaping ([WalkRow]) -> Void
  ) {
    (self.shared, self.cell, getRows, setRows) = (shared, cell, get, set)
  }

  /// A list that no key has.
  convenience init(of rows: [WalkRow]) {
    let owned = Owned(rows)
    self.init(
      Shared(value: rows), WalkCell(), get: { owned.rows }, set: { owned.rows = $0 })
  }

  private final class Owned {
    var rows: [WalkRow]
    init(_ rows: [WalkRow]) { self.rows = rows }
  }

  /// What the list should be.
  var rows: [WalkRow] {
    get { getRows() }
    set { setRows(newValue) }
  }

  /// The id of some element; nil when there is none.
  func id(_ number: Int) -> Int? {
    rows.isEmpty ? nil : rows[number % rows.count].id
  }
}

/// What of a list has been changed in a turn: who has read something else is not to be woken.
struct WalkTouch {
  var isWhole = false
  /// Whether elements may have moved.
  var isMoved = false
  /// Elements that were changed by their ids, and where those were.
  private(set) var ids: [(id: Int, position: Int)] = []
  /// Elements that were changed by their positions.
  private(set) var positions: [Int] = []
  /// Where the elements were that are gone.
  var removed: [Int] = []

  var isEmpty: Bool { !isWhole && !isMoved && ids.isEmpty && positions.isEmpty }

  /// An element was changed; one that is gone is none of the list.
  mutating func add(id: Int, at position: Int?) {
    if let position { ids.append((id, position)) }
  }

  mutating func add(position: Int, of count: Int) {
    if position < count { positions.append(position) }
  }

  /// Whether somebody who has read an element may be woken. Which element is at a position is not
  /// looked up: a change of one by its position wakes everybody who has asked for one by its id.
  func touches(id: Int) -> Bool {
    isWhole || isMoved || !positions.isEmpty || ids.contains { $0.id == id }
  }

  func touches(position: Int) -> Bool {
    isWhole || isMoved || positions.contains(position)
      || ids.contains { $0.position == position }
  }

  /// What an observer of elements is to be told; nil where anything will do.
  var elementChanges: ElementChanges? {
    if isWhole { return nil }
    guard !isMoved else {
      let isOne = removed.count == 1 && ids.isEmpty && positions.isEmpty
      return isOne ? .removed(removed[0]) : nil
    }
    var changed: [Int] = []
    for position in positions + ids.map({ $0.position }) where !changed.contains(position) {
      changed.append(position)
    }
    return changed.count > 100 ? nil : .changed(changed.sorted())
  }
}
