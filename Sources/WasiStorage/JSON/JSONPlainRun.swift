/// The bytes of a string that stand for themselves: ASCII without quotation mark, backslash and
/// control characters.
enum JSONPlainRun {
  /// The first place at or behind `start` that is not plain, or the end.
  ///
  /// Eight bytes at a time: in each byte of the words below the top bit is set when that byte is
  /// not plain. A borrow may set more of them, but only behind such a byte, and the first one
  /// counts.
  static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    while bytes.count - index >= 8 {
      let loaded = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let word = UInt64(littleEndian: loaded)
      let control = word &- 0x2020_2020_2020_2020
      let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
      let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
      let marks = (word | control | quote | backslash) & 0x8080_8080_8080_8080
      guard marks == 0 else { return index + marks.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count, isPlain(bytes[index]) { index += 1 }
    return index
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
