import SharingCore
import SharingJSON

/// Base64 of RFC 4648, section 4: with padding, without line breaks. Other text does not decode.
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
      }
      for place in 0..<4 {
        let isPadding = place > count
        text.append(isPadding ? padding : digit(UInt8(group >> UInt32(18 - 6 * place) & 63)))
      }
    }
    return text
  }

  static func decode(_ text: [UInt8]) throws(StorageError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var start = 0
    while start < text.count {
      guard text.count - start >= 4 else { throw corruption(at: text.count, of: text) }
      let isLast = start + 4 == text.count
      var count = 4
      if isLast, text[start + 3] == padding { count = text[start + 2] == padding ? 2 : 3 }
      var group: UInt32 = 0
      for offset in 0..<4 {
        guard offset < count else { group <<= 6; continue }
        guard let value = value(of: text[start + offset]) else {
          throw corruption(at: start + offset, of: text)
        }
        group = group << 6 | UInt32(value)
      }
      // Unused bits must be zero, so that the same bytes have only one text.
      guard group & (1 << UInt32(8 * (4 - count)) - 1) == 0 else {
        throw corruption(at: start + count - 1, of: text)
      }
      for place in 0..<count - 1 {
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * place)))
      }
      start += 4
    }
    return bytes
  }

  private static let padding = UInt8(ascii: "=")

  private static func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func corruption(at offset: Int, of text: [UInt8]) -> StorageError {
    let excerpt = text.withUnsafeBytes { TextExcerpt.text(of: $0, around: offset) }
    return StorageError(
      .corrupt(offset: offset), key: nil,
      "The text is not Base64 from byte \(offset) on. The text there: \(excerpt)")
  }
}
