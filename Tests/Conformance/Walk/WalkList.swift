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
  var ids: [Int] = []
  var positions: [Int] = []

  var isEmpty: Bool { !isWhole && !isMoved && ids.isEmpty && positions.isEmpty }

  /// Whether somebody who has read an element may be woken. Which element is at a position is not
  /// looked up: a change of one by its position wakes everybody who has asked for one by its id.
  func touches(id: Int) -> Bool {
    isWhole || isMoved || !positions.isEmpty || ids.contains(id)
  }
}
