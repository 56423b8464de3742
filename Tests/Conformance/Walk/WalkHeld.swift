import SharingCore

/// A held wrapper of an element, and its model: the element may go away and come back (rule R3).
final class WalkHeld {
  let shared: Shared<WalkRow>
  let list: WalkList
  private let id: Int
  /// The last value that it read.
  private var last: WalkRow

  init(_ shared: Shared<WalkRow>, of list: WalkList, _ row: WalkRow) {
    (self.shared, self.list, id, last) = (shared, list, row.id, row)
  }

  private var index: Int? { list.rows.firstIndex { $0.id == id } }

  /// Changes the element: in the list, or in the wrapper if it is gone.
  func change(_ change: (inout WalkRow) -> Void) {
    list.cell.look()
    if let index {
      change(&list.rows[index])
      last = list.rows[index]
      list.cell.change()
    } else {
      change(&last)
    }
    list.touch.add(id: id, at: index)
  }

  func problem() -> String? {
    if let index { last = list.rows[index] }
    return shared.wrappedValue == last ? nil : "an element that is kept is another one"
  }
}
