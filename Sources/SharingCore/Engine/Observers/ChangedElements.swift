/// Which elements of a cell's array have changed since it was last saved.
struct ChangedElements {
  /// Ascending; nil where more than single elements may have changed.
  private(set) var positions: [Int]?

  /// For a value that has never been saved: nobody knows what the key has in mind.
  static let unknown = ChangedElements(positions: nil)

  /// For a value that is being saved.
  static let none = ChangedElements(positions: [])

  /// As many single elements as are worth the bookkeeping.
  private static let limit = 100

  /// Notes that a part of the cell was changed. The cell's lock is held.
  mutating func insert(_ part: Reference) {
    if let position = part.elementPosition { insert(position) } else { invalidate() }
  }

  /// Notes that anything may have changed.
  mutating func invalidate() {
    positions = nil
  }

  /// Notes that the element at a position was changed, or came there.
  mutating func insert(_ position: Int) {
    positions?.insertAscending(position)
    if let count = positions?.count, count > Self.limit { invalidate() }
  }
}

extension [Int] {
  /// Puts a number where it belongs among ascending ones, unless it is there: mostly it comes last.
  package mutating func insertAscending(_ number: Int) {
    var index = count
    while index > 0, self[index - 1] > number { index -= 1 }
    if index > 0, self[index - 1] == number { return }
    append(number)
    for place in stride(from: count - 1, to: index, by: -1) { swapAt(place, place - 1) }
  }
}

extension Reference {
  /// The position of the element of the cell's array that this is, or is a part of; nil for other
  /// parts. The cell's lock is held.
  fileprivate var elementPosition: Int? {
    guard let derived else { return nil }
    guard derived.base.derived == nil else { return derived.base.elementPosition }
    return derived.part.position ?? alias?.position
  }
}
