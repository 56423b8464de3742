import CHost

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
