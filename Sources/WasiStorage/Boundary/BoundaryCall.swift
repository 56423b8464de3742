import CHost
import SharingCore

/// A call of a function of the page that stores or reads something. The error of a failed call has
/// the action, the cause and the remedy.
struct BoundaryCall {
  private let key: KeyName?
  private let action: StaticString

  /// - Parameters:
  ///   - action: The action in a message.
  ///   - key: The stored or read key; nil for a call without a key.
  init(_ action: StaticString, for key: KeyName?) {
    self.key = key
    self.action = action
  }

  /// The host's bytes; nil if it has none.
  @inline(never)
  func bytes(_ fill: GrowingBuffer.Fill) throws(StorageError) -> [UInt8]? {
    let found = GrowingBuffer.read(fill)
    try check(found.code)
    return found.bytes
  }

  /// Throws if the result is a negative code.
  @inline(never)
  func check(_ result: Int32) throws(StorageError) {
    guard result < 0 else { return }
    let (reason, explanation): (StorageError.Reason, StaticString) =
      switch Int(result) {
      case Int(SHARING_DENIED): (.denied, "site data is not allowed.")
      case Int(SHARING_QUOTA):
        (.quotaExceeded, "the quota is exceeded.")
      case Int(SHARING_BUSY):
        (
          .other,
          """
          the browser accepts no changes of the address for some seconds. Change it later.
          """
        )
      default: (.other, "the host gave no reason.")
      }
    throw StorageError(reason, key: key, "\(action) failed: \(explanation)")
  }
}

/// Fetches bytes whose length only the host knows.
package enum GrowingBuffer {
  /// Most values fit into this, and occupy it. A larger value takes a second call.
  private static let firstCapacity: Int32 = 256

  /// Fills a buffer with the host's bytes, and returns their length, which may exceed the capacity.
  package typealias Fill = (_ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int32) -> Int32

  /// Calls `fill` with a buffer and its capacity, and again with a larger buffer while the returned
  /// length does not fit.
  /// - Returns: The bytes, nil if the host has none; and the negative code of a failure, else 0.
  @inline(never)
  package static func read(_ fill: Fill) -> (bytes: [UInt8]?, code: Int32) {
    var capacity = firstCapacity
    while true {
      var length: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(capacity)) { buffer, count in
        length = fill(buffer.baseAddress, capacity)
        count = max(0, Int(min(length, capacity)))
      }
      if length == Int32(SHARING_MISSING) { return (nil, 0) }
      if length < 0 { return (nil, length) }
      if length <= capacity { return (bytes, 0) }
      capacity = length
    }
  }
}

extension Array {
  /// The element count, as host functions take it.
  package var byteCount32: Int32 { Int32(count) }
}
