/// Memory for JSON bytes, for as long as a reader or writer of them is used.
///
/// An array lends its memory for one call only, and checks at every byte whether it is shared.
/// Users of this class keep its addresses, without counting references.
final class JSONMemory {
  /// The number of bytes written in all, by the writer that has come furthest.
  let written: UnsafeMutablePointer<Int>
  let capacity: Int
  /// The memory that is full, and the number of bytes before those of this one.
  private let earlier: JSONMemory?
  private let offset: Int

  /// Room for bytes after the first `offset` bytes of another memory. When text grows, nothing is
  /// moved.
  init(capacity: Int, behind earlier: JSONMemory?, _ offset: Int) {
    let words = 2 + capacity / MemoryLayout<Int>.size
    written = .allocate(capacity: words)
    written.initialize(to: offset)
    self.capacity = capacity
    self.earlier = earlier
    self.offset = offset
  }

  deinit { written.deallocate() }

  /// The first byte. The bytes follow the number in `written`.
  var start: UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(written + 1).assumingMemoryBound(to: UInt8.self)
  }

  /// Copies the first `count` bytes, beginning with those of the earlier memory.
  func copy(_ count: Int, to target: UnsafeMutablePointer<UInt8>) {
    // Other ways to copy are a loop over bytes in WebAssembly.
    UnsafeMutableRawPointer(target + offset).copyMemory(from: start, byteCount: count - offset)
    earlier?.copy(offset, to: target)
  }
}
