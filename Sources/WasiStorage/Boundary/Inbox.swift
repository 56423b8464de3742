import SharingCore

/// Where the page leaves text for the call that follows: a buffer that the program owns.
public enum Inbox {
  nonisolated(unsafe) private static var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: 0)

  /// The bytes at the front of the buffer, copied: they are the caller's to keep.
  /// - Parameters:
  ///   - count: How many bytes; the page has just written them.
  ///   - offset: Where they begin.
  public static func bytes(_ count: Int32, from offset: Int32 = 0) -> [UInt8] {
    Array(UnsafeBufferPointer(rebasing: buffer[Int(offset)..<Int(offset + count)]))
  }

  /// Room for at least `count` bytes.
  static func reserve(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    if buffer.count < count {
      buffer.deallocate()
      buffer = .allocate(capacity: Int(count))
    }
    return buffer.baseAddress
  }
}
