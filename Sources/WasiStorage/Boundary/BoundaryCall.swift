import CHost
import SharingCore

/// A call of a host function that stores or reads something. The error of a failed call has the
/// action, the cause and the remedy.
package struct BoundaryCall {
  private let key: KeyName?
  private let action: StaticString
  private let path: [UInt8]

  /// - Parameters:
  ///   - action: The action in a message; it ends in a space in front of a path.
  ///   - path: The file or folder, if there is one.
  ///   - key: The stored or read key; nil for a call without a key.
  package init(_ action: StaticString, _ path: [UInt8] = [], for key: KeyName?) {
    self.key = key
    self.action = action
    self.path = path
  }

  /// The host's bytes; nil if it has none.
  @inline(never)
  package func bytes(_ fill: GrowingBuffer.Fill) throws(StorageError) -> [UInt8]? {
    do throws(BoundaryCode) {
      return try GrowingBuffer.read(fill)
    } catch {
      if error == .missing { return nil }
      throw failure(error)
    }
  }

  /// Throws if the result is a negative code.
  @inline(never)
  package func check(_ result: Int32) throws(StorageError) {
    if let code = BoundaryCode(result) { throw failure(code) }
  }

  @inline(never)
  private func failure(_ code: BoundaryCode) -> StorageError {
    StorageError(
      code.reason, key: key, "\(action)\(UTF8Text(path)) failed: \(code.explanation)")
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
  @inline(never)
  static func read(_ fill: Fill) throws(BoundaryCode) -> [UInt8] {
    var capacity = firstCapacity
    while true {
      var length: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(capacity)) { buffer, count in
        length = fill(buffer.baseAddress, capacity)
        count = max(0, Int(min(length, capacity)))
      }
      if let error = BoundaryCode(length) { throw error }
      if length <= capacity { return bytes }
      capacity = length
    }
  }
}

extension Array {
  /// The element count, as host functions take it.
  package var byteCount32: Int32 { Int32(count) }
}
