import SharingCore

/// One escape of a string: a backslash and the characters after it.
struct JSONEscape {
  /// The escaped character.
  let scalar: UnicodeScalar

  /// Reads an escape, including the second half of a surrogate pair.
  init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.offset
    reader.next += 1
    guard let letter = reader.peek() else { throw reader.error(.unexpectedEnd) }
    reader.next += 1
    guard letter == UInt8(ascii: "u") else {
      guard let character = Self.character(of: letter) else {
        throw JSONError(.invalidEscape, at: start)
      }
      scalar = UnicodeScalar(character)
      return
    }
    var code = try Self.codeUnit(from: &reader, start)
    if code & 0xFC00 == 0xD800 {
      let isEscape = reader.skip(UInt8(ascii: "\\")) && reader.skip(UInt8(ascii: "u"))
      let low = isEscape ? try Self.codeUnit(from: &reader, start) : 0
      guard low & 0xFC00 == 0xDC00 else { throw JSONError(.loneSurrogate, at: start) }
      code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
    }
    guard let scalar = UnicodeScalar(code) else { throw JSONError(.loneSurrogate, at: start) }
    self.scalar = scalar
  }

  /// Appends the character's UTF-8.
  func append(to text: inout [UInt8]) {
    for byte in scalar.utf8 { text.put(byte) }
  }

  /// The characters of the one-letter escapes.
  private static func character(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// Reads four hexadecimal digits of the escape at `start`.
  private static func codeUnit(
    from reader: inout JSONReader, _ start: Int
  ) throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = reader.peek() else { throw reader.error(.unexpectedEnd) }
      guard let digit = digit(of: byte) else { throw JSONError(.invalidEscape, at: start) }
      code = code << 4 | digit
      reader.next += 1
    }
    return code
  }

  private static func digit(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
