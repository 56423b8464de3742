extension JSON {
  /// Whether the bytes are one JSON value, of any kind. Small: a program that reads only a number
  /// does not link the reader of all kinds for it.
  package static func isValid(_ bytes: [UInt8]) -> Bool {
    var check = JSONCheck(bytes: bytes)
    return check.value(depth: 0) && check.isAtEnd
  }
}

/// Checks a text by the grammar of RFC 8259. A `\u` escape of half a surrogate pair is wrong.
private struct JSONCheck {
  let bytes: [UInt8]
  var next = 0

  /// Skips white space, and returns the byte there; 0 at the end.
  private mutating func peek() -> UInt8 {
    while let byte = here, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      next += 1
    }
    return here ?? 0
  }

  private var here: UInt8? { next < bytes.count ? bytes[next] : nil }

  var isAtEnd: Bool {
    mutating get { peek() == 0 && next == bytes.count }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard here == byte else { return false }
    next += 1
    return true
  }

  mutating func value(depth: Int) -> Bool {
    guard depth < 500 else { return false }
    let first = peek()
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return list(isObject: first == 0x7B, depth)
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  private mutating func list(isObject: Bool, _ depth: Int) -> Bool {
    let end: UInt8 = isObject ? 0x7D : 0x5D
    next += 1
    if peek() == end { return take(end) }
    repeat {
      if isObject {
        guard peek() == 0x22, string(), peek() == 0x3A, take(0x3A) else { return false }
      }
      guard value(depth: depth + 1) else { return false }
    } while peek() == 0x2C && take(0x2C)
    return take(end)
  }

  private mutating func word(_ word: StaticString) -> Bool {
    for index in 0..<word.utf8CodeUnitCount where !take(word.utf8Start[index]) { return false }
    return true
  }

  private mutating func number() -> Bool {
    _ = take(0x2D)
    guard take(0x30) || digits() else { return false }
    if take(0x2E), !digits() { return false }
    if take(0x65) || take(0x45) {
      _ = take(0x2B) || take(0x2D)
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = next
    while let byte = here, byte &- 0x30 < 10 { next += 1 }
    return next > start
  }

  private mutating func string() -> Bool {
    next += 1
    var isHighBefore = false
    while let byte = here, byte >= 0x20 {
      next += 1
      var (isHigh, isLow) = (false, false)
      if byte == 0x22 { return !isHighBefore }
      if byte == 0x5C {
        guard let escaped = here else { return false }
        next += 1
        switch escaped {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: break
        case 0x75:
          guard let unit = codeUnit() else { return false }
          (isHigh, isLow) = (unit >> 10 == 0x36, unit >> 10 == 0x37)
        default: return false
        }
      }
      if isHighBefore != isLow { return false }
      isHighBefore = isHigh
    }
    return false
  }

  private mutating func codeUnit() -> UInt32? {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = here else { return nil }
      switch byte {
      case 0x30...0x39: unit = unit << 4 | UInt32(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: unit = unit << 4 | UInt32((byte | 0x20) - 0x57)
      default: return nil
      }
      next += 1
    }
    return unit
  }
}
