import SharingCore

/// A shared list and its model.
final class WalkList {
  let shared: Shared<[WalkRow]>
  let cell: WalkCell
  private let getRows: () -> [WalkRow]
  private let setRows: ([WalkRow]) -> Void
  /// The parts of it that changed in the current turn.
  var touch = WalkTouch()

  init(
    _ shared: Shared<[WalkRow]>, _ cell: WalkCell, get: @escaping () -> [WalkRow],
    set: @escaping ([WalkRow]) -> Void
  ) {
    (self.shared, self.cell, getRows, setRows) = (shared, cell, get, set)
  }

  /// Creates a list without a key.
  convenience init(of rows: [WalkRow]) {
    let owned = Owned(rows)
    self.init(
      Shared(value: rows), WalkCell(), get: { owned.rows }, set: { owned.rows = $0 })
  }

  private final class Owned {
    var rows: [WalkRow]
    init(_ rows: [WalkRow]) { self.rows = rows }
  }

  /// The expected list.
  var rows: [WalkRow] {
    get { getRows() }
    set { setRows(newValue) }
  }

  /// Returns the id of an element; nil if there is none.
  func id(_ number: Int) -> Int? {
    rows.isEmpty ? nil : rows[number % rows.count].id
  }
}

/// The parts of a list that changed in a turn: observers of other parts must not run.
struct WalkTouch {
  var isWhole = false
  /// Whether elements may have moved.
  var isMoved = false
  /// Elements that were changed by id, and their positions.
  private(set) var ids: [(id: Int, position: Int)] = []
  /// Elements that were changed by position.
  private(set) var positions: [Int] = []
  /// The former positions of removed elements.
  var removed: [Int] = []

  var isEmpty: Bool { !isWhole && !isMoved && ids.isEmpty && positions.isEmpty }

  /// Records the change of an element; without a position, the element is not in the list any more.
  mutating func add(id: Int, at position: Int?) {
    if let position { ids.append((id, position)) }
  }

  mutating func add(position: Int, of count: Int) {
    if position < count { positions.append(position) }
  }

  /// Returns whether an observer of an element may run. The model does not look up the element at a
  /// position: a change by position runs all observers of elements by id.
  func touches(id: Int) -> Bool {
    isWhole || isMoved || !positions.isEmpty || ids.contains { $0.id == id }
  }

  func touches(position: Int) -> Bool {
    isWhole || isMoved || positions.contains(position)
      || ids.contains { $0.position == position }
  }

  /// The changes that an observer of elements must receive; nil if any are acceptable.
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
