extension JSONWriter {
  /// Writes a string, escaping only what RFC 8259 demands.
  @inline(__always)
  mutating func put(string text: UnsafeBufferPointer<UInt8>) {
    let room = room(for: text.count + 2)
    room[0] = UInt8(ascii: "\"")
    let copied = JSONPlainRun.copy(text, to: room + 1)
    guard copied == text.count else {
      wrote(1 + copied)
      return put(escaping: UnsafeBufferPointer(rebasing: text[copied...]))
    }
    room[1 + copied] = UInt8(ascii: "\"")
    wrote(copied + 2)
  }

  /// Writes the rest of a string, from the first character that needs an escape.
  @inline(never)
  private mutating func put(escaping text: UnsafeBufferPointer<UInt8>) {
    var rest = text
    while let byte = rest.first {
      put(escapeOf: byte)
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst())
      let copied = JSONPlainRun.copy(rest, to: room(for: rest.count))
      wrote(copied)
      rest = UnsafeBufferPointer(rebasing: rest[copied...])
    }
    put(UInt8(ascii: "\""))
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
      put(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
  }
}
