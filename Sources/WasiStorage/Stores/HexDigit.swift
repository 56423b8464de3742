import SharingCore

/// The hexadecimal digits of percent-encoded text.
enum HexDigit {
  /// The upper-case digit of a value below 16.
  static func of(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// The value of a digit; nil for any other byte.
  @inline(never)
  static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Decodes percent-encoded text. A `%` without two digits stays, since visitors type it so.
  static func percentDecoded(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
        let high = value(text[index + 1]), let low = value(text[index + 2])
      {
        bytes.put(high << 4 | low)
        index += 3
      } else {
        bytes.put(text[index])
        index += 1
      }
    }
    return bytes
  }
}
