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
