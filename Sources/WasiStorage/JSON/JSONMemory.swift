/// Memory that holds JSON bytes for as long as a reader or writer of them is used.
///
/// An array cannot lend its memory for longer than one call, and asks at every byte whether it is
/// shared. Who uses this one keeps its addresses, which are not counted.
final class JSONMemory {
  let start: UnsafeMutablePointer<UInt8>
  let capacity: Int
  /// How many bytes have been written, by whichever writer has come furthest.
  let written: UnsafeMutablePointer<Int>

  init(capacity: Int) {
    written = .allocate(capacity: 1)
    written.initialize(to: 0)
    start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  /// A copy of bytes.
  convenience init(_ bytes: UnsafeBufferPointer<UInt8>, capacity: Int) {
    self.init(capacity: capacity)
    // Other ways to copy are a loop over bytes in WebAssembly.
    UnsafeMutableRawBufferPointer(start: start, count: capacity).copyMemory(from: .init(bytes))
    written.pointee = bytes.count
  }

  deinit {
    written.deallocate()
    start.deallocate()
  }
}
