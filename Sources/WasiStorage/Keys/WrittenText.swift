import SharingCore

/// The text that an item has written last, and what has changed of its value since.
final class WrittenText: @unchecked Sendable {
  private let lock = Lock()
  private var text = EncodedJSON()
  /// The positions of elements, ascending; nil where anything may have changed.
  private var changed: [Int]? = []

  /// Notes which elements of an array have changed; nil where that is unknown.
  func note(_ changed: [Int]?) {
    lock.withLock { self.changed = Self.union(self.changed, changed) }
  }

  /// Lets `body` bring the text up to date, one thread at a time: whoever saves sees to that.
  func update(
    _ body: (inout EncodedJSON, [Int]?) throws(AnyError) -> [UInt8]?
  ) throws(AnyError) -> [UInt8]? {
    // Taken out, so that it has one owner and can be changed in place.
    var (text, changed) = lock.withLock {
      let taken = (self.text, self.changed)
      (self.text, self.changed) = (EncodedJSON(), [])
      return taken
    }
    defer { lock.withLock { self.text = text } }
    return try body(&text, changed)
  }

  private static func union(_ left: [Int]?, _ right: [Int]?) -> [Int]? {
    guard var union = left, let right else { return nil }
    for position in right { union.insertAscending(position) }
    return union
  }
}
