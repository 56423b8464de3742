import SharingCore

/// The program's buffer into which the page writes text for its next call.
public enum Inbox {
  nonisolated(unsafe) private static var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: 0)

  /// Returns a copy of bytes in the buffer.
  /// - Parameters:
  ///   - count: The number of bytes, which the page has just written.
  ///   - offset: Where they begin.
  public static func bytes(_ count: Int32, from offset: Int32 = 0) -> [UInt8] {
    Array(UnsafeBufferPointer(rebasing: buffer[Int(offset)..<Int(offset + count)]))
  }

  /// Returns room for at least `count` bytes.
  static func reserve(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    if buffer.count < count {
      buffer.deallocate()
      buffer = .allocate(capacity: Int(count))
    }
    return buffer.baseAddress
  }
}
