import SharingCore

extension JSONWriter {
  /// Writes ASCII text without escaping it.
  package mutating func put(_ text: StaticString) {
    put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes bytes without escaping them.
  mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
    UnsafeMutableRawBufferPointer(start: room(for: text.count), count: text.count)
      .copyMemory(from: UnsafeRawBufferPointer(text))
    didWrite(text.count)
  }

  /// Writes one byte. Not inlined, since that would be most of the code that writes punctuation.
  @inline(never)
  package mutating func put(_ byte: UInt8) {
    room(for: 1).pointee = byte
    didWrite(1)
  }

  /// Writes the name of the next member, and its colon.
  @usableFromInline
  mutating func beginMember(_ name: StaticString) {
    beginMember(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// Writes the name of the next member, and its colon.
  @usableFromInline
  mutating func beginMember(_ name: UTF8Text) {
    name.bytes.withUnsafeBufferPointer { beginMember($0) }
  }

  private mutating func beginMember(_ name: UnsafeBufferPointer<UInt8>) {
    beginItem()
    put(string: name)
    put(UInt8(ascii: ":"))
  }
}

extension JSONWriter {
  /// Writes a string, escaping only what RFC 8259 demands.
  @inline(never)
  package mutating func put(string text: UnsafeBufferPointer<UInt8>) {
    put(UInt8(ascii: "\""))
    var start = 0
    for index in text.indices where !JSON.isPlain(text[index]) {
      put(UnsafeBufferPointer(rebasing: text[start..<index]))
      put(escapeOf: text[index])
      start = index + 1
    }
    put(UnsafeBufferPointer(rebasing: text[start...]))
    put(UInt8(ascii: "\""))
  }

  /// Writes the short escape of a character, or its number if it has none.
  private mutating func put(escapeOf byte: UInt8) {
    put(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(byte)
    case 0x08: put(UInt8(ascii: "b"))
    case 0x09: put(UInt8(ascii: "t"))
    case 0x0A: put(UInt8(ascii: "n"))
    case 0x0C: put(UInt8(ascii: "f"))
    case 0x0D: put(UInt8(ascii: "r"))
    default:
      put(byte < 0x10 ? "u000" : "u001")
      let digit = byte & 0x0F
      put(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
  }
}
