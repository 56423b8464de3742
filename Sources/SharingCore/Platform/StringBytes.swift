#if hasFeature(Embedded)
  /// The UTF-8 of a string. All strings here are contiguous; `Array(string.utf8)` would not know,
  /// and link 4 kB (gzip) for those that are not.
  @inline(never)
  func utf8Bytes(of string: String) -> [UInt8] {
    string.utf8.withContiguousStorageIfAvailable { Array($0) } ?? []
  }
#else
  /// The UTF-8 of a string.
  func utf8Bytes(of string: String) -> [UInt8] {
    Array(string.utf8)
  }
#endif
