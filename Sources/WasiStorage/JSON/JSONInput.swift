/// A copy of JSON bytes that lives as long as the readers of it.
///
/// An array cannot lend its memory to a reader for longer than one call; a class that owns memory
/// can.
final class JSONInput {
  let bytes: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = .allocate(capacity: bytes.count)
    _ = self.bytes.initialize(from: bytes)
  }

  deinit { bytes.deallocate() }
}
