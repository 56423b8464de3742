import CHost

/// Fetches bytes of a length that only the host knows.
enum GrowingBuffer {
  /// Most values fit, and keep this much; a larger one takes a second call.
  private static let firstCapacity: Int32 = 256

  /// Has the host fill a buffer of a capacity, and returns the length of what it has.
  typealias Fill = (_ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int32) -> Int32

  /// Calls `fill` with a buffer and its capacity, and again with more room as long as the host
  /// answers with a length that does not fit.
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
  /// The element count as the host's functions take it.
  var byteCount32: Int32 { Int32(count) }
}
