/// Memory that holds JSON bytes for as long as a reader or writer of them is used.
///
/// An array cannot lend its memory for longer than one call, and asks at every byte whether it is
/// shared. Who uses this one keeps its addresses, which are not counted.
final class JSONMemory {
  /// How many bytes have been written in all, by whichever writer has come furthest.
  let written: UnsafeMutablePointer<Int>
  let capacity: Int
  /// The memory that is full, and how many of its bytes come before these.
  private let earlier: JSONMemory?
  private let offset: Int

  /// Room for bytes behind the first ones of some other memory: nothing is moved when text grows.
  init(capacity: Int, behind earlier: JSONMemory?, _ offset: Int) {
    let words = 2 + capacity / MemoryLayout<Int>.size
    written = .allocate(capacity: words)
    written.initialize(to: offset)
    self.capacity = capacity
    self.earlier = earlier
    self.offset = offset
  }

  deinit { written.deallocate() }

  /// The first of the bytes, which follow the number of them.
  var start: UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(written + 1).assumingMemoryBound(to: UInt8.self)
  }

  /// Copies the first bytes of all.
  func copy(_ count: Int, to target: UnsafeMutablePointer<UInt8>) {
    // Other ways to copy are a loop over bytes in WebAssembly.
    UnsafeMutableRawPointer(target + offset).copyMemory(from: start, byteCount: count - offset)
    earlier?.copy(offset, to: target)
  }
}
