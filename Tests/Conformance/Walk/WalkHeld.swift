import SharingCore

/// An element that somebody keeps, and its model: it may go and come back (rule R3).
final class WalkHeld {
  let shared: Shared<WalkRow>
  let list: WalkList
  let place: Place
  /// What it has seen last.
  private var last: WalkRow

  enum Place {
    case id(Int)
    case position(Int)
  }

  init(_ shared: Shared<WalkRow>, of list: WalkList, _ place: Place, _ row: WalkRow) {
    (self.shared, self.list, self.place, last) = (shared, list, place, row)
  }

  private var index: Int? {
    switch place {
    case .id(let id): list.rows.firstIndex { $0.id == id }
    case .position(let position): position < list.rows.count ? position : nil
    }
  }

  /// The element is changed: in the list, or where it is kept if it is gone.
  func change(_ change: (inout WalkRow) -> Void) {
    list.cell.look()
    if let index {
      change(&list.rows[index])
      last = list.rows[index]
      list.cell.change()
    } else {
      change(&last)
    }
    switch place {
    case .id(let id): list.touch.add(id: id, at: index)
    case .position(let position): list.touch.add(position: position, of: list.rows.count)
    }
  }

  func problem() -> String? {
    if let index { last = list.rows[index] }
    return shared.wrappedValue == last ? nil : "an element that is kept is another one"
  }
}
