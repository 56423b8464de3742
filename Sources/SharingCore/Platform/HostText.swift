// Standard error and the bytes of a string, for `UTF8Text`.
#if hasFeature(Embedded)
  @_extern(c, "write")
  private func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int

  private let STDERR_FILENO: Int32 = 2
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(WASILibc)
  import WASILibc
#else
  import Glibc
#endif

/// Writes a line to standard error, the default target of the program's messages.
///
/// It does not use `print`, which links 8 kB (gzip) of `String` and `stdio` into a wasm program.
func writeMessage(_ line: UTF8Text) {
  let line: UTF8Text = "\(line)\n"
  _ = line.bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

#if hasFeature(Embedded)
  /// Returns the UTF-8 of a string. All strings here are contiguous. `Array(string.utf8)` would
  /// link 4 kB (gzip) for other strings.
  @inline(never)
  func utf8Bytes(of string: String) -> [UInt8] {
    string.utf8.withContiguousStorageIfAvailable { Array($0) } ?? []
  }
#else
  /// Returns the UTF-8 of a string.
  func utf8Bytes(of string: String) -> [UInt8] {
    Array(string.utf8)
  }
#endif
