import SharingCore

/// The text that an item has written last.
final class WrittenText: @unchecked Sendable {
  private let lock = Lock()
  private var text = EncodedJSON()

  /// Lets `body` bring the text up to date, one thread at a time: whoever saves sees to that.
  func update(
    _ body: (inout EncodedJSON) throws(AnyError) -> [UInt8]?
  ) throws(AnyError) -> [UInt8]? {
    // Taken out, so that it has one owner and can be changed in place.
    var text = lock.withLock {
      let taken = self.text
      self.text = EncodedJSON()
      return taken
    }
    defer { lock.withLock { self.text = text } }
    return try body(&text)
  }
}
