/// The bytes of a string that need no escape: no quotation mark, backslash or control character.
///
/// Eight bytes are checked at a time: in the marks below, the top bit of each byte is set if that
/// byte is not plain. A borrow may set more of them, but only after such a byte, and only the
/// first one is used.
enum JSONPlainRun {
  /// The first byte that is not plain or not ASCII, or the end.
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

  /// Whether a text begins with a name, and all bytes of the name are plain.
  ///
  /// Inlined, since the name is a constant: the compiler then knows its words, and whether they are
  /// plain. The last word may overlap the one before it.
  @inline(__always)
  static func matches(
    _ text: UnsafePointer<UInt8>, _ name: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    var index = 0
    while count &- index >= 8 {
      guard isSame(word(at: text + index), word(at: name + index)) else { return false }
      index &+= 8
    }
    if count >= 8 {
      return isSame(word(at: text + (count &- 8)), word(at: name + (count &- 8)))
    }
    if count >= 4 {
      return isSame(half(at: text), half(at: name))
        && isSame(half(at: text + (count &- 4)), half(at: name + (count &- 4)))
    }
    while index < count {
      guard isPlain(name[index]), text[index] == name[index] else { return false }
      index &+= 1
    }
    return true
  }

  /// Copies bytes up to the first one that is not plain. Those beyond ASCII are plain.
  /// - Returns: The number of copied bytes.
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

  /// Four bytes, repeated to fill a word.
  @inline(__always)
  private static func half(at bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self)) &* 0x1_0000_0001
  }

  @inline(__always)
  private static func isSame(_ text: UInt64, _ name: UInt64) -> Bool {
    marks(in: name) & ~name == 0 && text == name
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
