/// The positions of a collection's elements that changed since a save, or since an observer has
/// read them.
struct ChangedPositions {
  /// In ascending order; nil if more than single elements may have changed.
  private(set) var positions: [Int]?

  /// Before the first save or read: any element may have changed.
  static let unknown = ChangedPositions(positions: nil)

  /// After a save or a read: no element has changed.
  static let none = ChangedPositions(positions: [])

  /// The largest number of single elements that is worth the bookkeeping.
  private static let limit = 100

  /// Records a change of a part of the cell. The cell's lock is held.
  mutating func insert(_ part: Reference) {
    if let position = part.elementPosition { insert(position) } else { invalidate() }
  }

  /// Records that anything may have changed.
  mutating func invalidate() {
    positions = nil
  }

  /// Records a change of the element at a position, or a new one there.
  mutating func insert(_ position: Int) {
    positions?.insertAscending(position)
    if let count = positions?.count, count > Self.limit { invalidate() }
  }
}

extension [Int] {
  /// Inserts a number in ascending order, unless it is present. Most numbers belong at the end.
  package mutating func insertAscending(_ number: Int) {
    var index = count
    while index > 0, self[index - 1] > number { index -= 1 }
    if index > 0, self[index - 1] == number { return }
    append(number)
    for place in stride(from: count - 1, to: index, by: -1) { swapAt(place, place - 1) }
  }
}

extension Reference {
  /// The position of the element of the cell's array that contains this part, or is it; nil for
  /// other parts. The cell's lock is held.
  fileprivate var elementPosition: Int? {
    guard let derived else { return nil }
    guard derived.base.derived == nil else { return derived.base.elementPosition }
    return derived.part.position ?? alias?.position
  }
}
