/// The bytes of a string that stand for themselves: no quotation mark, backslash or control
/// character.
///
/// Eight bytes at a time: in each byte of the marks below the top bit is set when that byte is not
/// plain. A borrow may set more of them, but only behind such a byte, and the first one counts.
enum JSONPlainRun {
  /// The first place of ASCII text that is not plain or beyond ASCII, or the end.
  @inline(__always)
  static func end(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>
  {
    var next = start
    while end - next >= 8 {
      let word = word(at: next)
      let marks = marks(in: word) | word & topBits
      guard marks == 0 else { return next + marks.trailingZeroBitCount / 8 }
      next += 8
    }
    while next < end, isPlain(next.pointee), next.pointee < 0x80 { next += 1 }
    return next
  }

  /// Copies bytes up to the first one that is not plain; those beyond ASCII are.
  /// - Returns: How many.
  static func copy(
    _ bytes: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    guard let source = bytes.baseAddress else { return 0 }
    let count = bytes.count
    var index = 0
    while count &- index >= 8 {
      let word = word(at: source + index)
      UnsafeMutableRawPointer(target + index).storeBytes(of: word.littleEndian, as: UInt64.self)
      let marks = marks(in: word) & ~word & topBits
      guard marks == 0 else { return index &+ marks.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, isPlain(source[index]) {
      target[index] = source[index]
      index &+= 1
    }
    return index
  }

  private static var topBits: UInt64 { 0x8080_8080_8080_8080 }

  @inline(__always)
  private static func word(at bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  private static func marks(in word: UInt64) -> UInt64 {
    let control = word &- 0x2020_2020_2020_2020
    let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
    let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
    return (control | quote | backslash) & topBits
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
