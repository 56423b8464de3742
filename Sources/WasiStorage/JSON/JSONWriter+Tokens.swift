extension JSONWriter {
  /// Writes ASCII text as it stands.
  mutating func put(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes the digits of a number, which are ASCII.
  mutating func put(digits: String) {
    digits.withBytes { bytes.append(contentsOf: $0) }
  }

  /// Writes one byte.
  mutating func put(_ byte: UInt8) { bytes.append(byte) }

  /// Writes an integer, whose digits are found from the last one to the first.
  @usableFromInline
  mutating func put(_ magnitude: UInt64, isNegative: Bool) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.mostDigits) { digits in
      var start = Self.mostDigits
      var rest = magnitude
      repeat {
        start -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      } while rest > 0
      if isNegative {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// The digits of `UInt64.max`, and a sign.
  private static var mostDigits: Int { 21 }

  /// Writes a string, escaping only what RFC 8259 demands.
  mutating func put(string text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    var index = JSONPlainRun.end(in: text, from: 0)
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
        put(escapeOf: byte)
        start = index + 1
      }
      index = JSONPlainRun.end(in: text, from: index + 1)
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes the short escape of a character, or its number where it has none.
  private mutating func put(escapeOf byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): put("\\\"")
    case UInt8(ascii: "\\"): put("\\\\")
    case 0x08: put("\\b")
    case 0x09: put("\\t")
    case 0x0A: put("\\n")
    case 0x0C: put("\\f")
    case 0x0D: put("\\r")
    default:
      put(byte < 0x10 ? "\\u000" : "\\u001")
      let digit = byte & 0x0F
      bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
  }

  /// Opens an array or object.
  mutating func open(_ byte: UInt8) throws(JSONError) {
    guard depth < JSONReader.maximumDepth else { throw error(.tooDeep) }
    depth += 1
    bytes.append(byte)
  }

  /// Closes the innermost array or object.
  mutating func close(_ byte: UInt8) {
    depth -= 1
    bytes.append(byte)
  }

  /// Writes the comma between this item and the one before it.
  ///
  /// No value ends in an opening bracket, so the last byte tells whether there was one.
  @usableFromInline
  mutating func beginItem() {
    let last = bytes.last
    guard last != UInt8(ascii: "["), last != UInt8(ascii: "{") else { return }
    bytes.append(UInt8(ascii: ","))
  }

  /// Writes the name of the next member, and its colon.
  @usableFromInline
  mutating func beginMember(_ name: StaticString) {
    beginItem()
    name.withUTF8Buffer { put(string: $0) }
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes the name of the next member, and its colon.
  @usableFromInline
  mutating func beginMember(_ name: String) {
    beginItem()
    name.encode(into: &self)
    bytes.append(UInt8(ascii: ":"))
  }
}
