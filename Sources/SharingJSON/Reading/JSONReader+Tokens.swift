import CHost

extension JSONReader {
  /// The next byte; nil at the end.
  @usableFromInline
  package func peek() -> UInt8? { next < end ? next.pointee : nil }

  /// Reads a byte if it is next.
  @inline(__always)
  mutating func scan(_ byte: UInt8) -> Bool {
    guard next < end, next.pointee == byte else { return false }
    next += 1
    return true
  }

  /// The same, not inlined: for places where size matters more than time.
  @inline(never)
  mutating func skip(_ byte: UInt8) -> Bool { scan(byte) }

  /// Skips white space, and reads the byte that begins a value of the kind.
  @inline(__always)
  mutating func scan(_ byte: UInt8, _ kind: JSONKind) throws(JSONError) {
    skipWhiteSpace()
    guard scan(byte) else { throw mismatch(kind) }
  }

  /// Reads the word of a value of the kind, such as `null`.
  @usableFromInline
  mutating func scan(_ word: StaticString, _ kind: JSONKind) throws(JSONError) {
    let letters = word.utf8Start
    try scan(letters[0], kind)
    for index in 1..<word.utf8CodeUnitCount {
      guard scan(letters[index]) else { throw unexpected() }
    }
  }

  /// Whether a decimal digit is next.
  var isAtDigit: Bool {
    next < end && next.pointee &- UInt8(ascii: "0") < 10
  }

  /// Reads the next digit.
  mutating func scanDigit() -> UInt64 {
    next += 1
    return UInt64(next[-1] &- UInt8(ascii: "0"))
  }

  /// Reads the next digits, and appends them to a number, which wraps around if they are too many.
  @inline(__always)
  mutating func scanDigits(into magnitude: inout UInt64) {
    // A local variable, so that the reader's memory is written only once.
    var pointer = next
    while pointer < end {
      let digit = pointer.pointee &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      pointer += 1
    }
    next = pointer
  }

  /// Skips the white space of RFC 8259, which a form feed, for example, is not.
  ///
  /// Mostly there is none, so only the test for it is inlined.
  @inline(__always) @usableFromInline
  mutating func skipWhiteSpace() {
    guard next < end, next.pointee <= 0x20 else { return }
    skipSomeWhiteSpace()
  }

  @inline(never)
  private mutating func skipSomeWhiteSpace() {
    while next < end {
      switch next.pointee {
      case 0x20, 0x09, 0x0A, 0x0D: next += 1
      default: return
      }
    }
  }

  /// Skips an escape, or characters beyond ASCII, in a string.
  ///
  /// Not inlined: most strings have none, and the loop over them stays small.
  /// - Returns: Whether it was an escape.
  @inline(never)
  mutating func skipEscapeOrNonASCII() throws(JSONError) -> Bool {
    guard let byte = peek() else { throw error(.unexpectedEnd) }
    switch byte {
    case UInt8(ascii: "\\"):
      _ = try JSONEscape(from: &self)
      return true
    case 0x80...:
      // They seldom come alone.
      while let byte = peek(), byte >= 0x80 { try skipUTF8() }
      return false
    default: throw error(.controlCharacter)
    }
  }

  private mutating func skipUTF8() throws(JSONError) {
    let length = JSON.lengthOfCharacter(at: next, before: end)
    guard length > 0 else { throw error(.invalidUTF8) }
    next += length
  }

  /// Opens an array or object.
  @inline(__always)
  mutating func open(_ byte: UInt8, _ kind: JSONKind) throws(JSONError) {
    try scan(byte, kind)
    guard depth < Self.safeDepth || Self.canOpen(at: depth) else {
      throw JSONError(.tooDeep, at: offset - 1)
    }
    depth += 1
  }

  /// The number of nested arrays and objects that need no check of the stack.
  static var safeDepth: Int { 8 }

  /// Whether another array or object may be opened at a depth.
  @inline(never)
  static func canOpen(at depth: Int) -> Bool {
    depth < maximumDepth && sharing_stack_has_room()
  }

  /// Closes the innermost array or object, if its last byte is next after white space.
  @inline(__always)
  mutating func close(_ byte: UInt8) -> Bool {
    skipWhiteSpace()
    guard scan(byte) else { return false }
    depth -= 1
    return true
  }

  /// The error for a byte, or an end, that JSON does not allow here. Mutating, as is `mismatch`, so
  /// that callers do not copy the reader.
  @inline(never)
  mutating func unexpected() -> JSONError {
    error(next < end ? .unexpectedByte(next.pointee) : .unexpectedEnd)
  }

  /// The error for a value of another kind, or for bytes that are not JSON.
  @inline(never)
  mutating func mismatch(_ expected: JSONKind) -> JSONError {
    guard let found = kindHere else { return unexpected() }
    return error(.wrongType(expected: expected, found: found))
  }

  /// The kind of the value that begins with the next byte; nil if none does.
  var kindHere: JSONKind? {
    guard let byte = peek() else { return nil }
    return switch byte {
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "{"): .object
    default: nil
    }
  }
}

extension JSON {
  /// Whether a byte of a string needs no escape.
  static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// The number of bytes of the byte order mark in front of a text: 3 or 0. RFC 8259 allows a
  /// parser to ignore it; some editors and PowerShell write it.
  static func byteOrderMarkLength(_ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.count >= 3 && (bytes[0], bytes[1], bytes[2]) == (0xEF, 0xBB, 0xBF) ? 3 : 0
  }

  /// Whether a text has no bytes, or only a byte order mark.
  package static func isEmpty(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { $0.count == byteOrderMarkLength($0) }
  }

  /// Whether bytes are UTF-8: without `String`, which would be a fourth of a program that needs
  /// none.
  package static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      guard var next = bytes.baseAddress else { return true }
      let end = next + bytes.count
      while next < end {
        let length = next.pointee < 0x80 ? 1 : lengthOfCharacter(at: next, before: end)
        if length == 0 { return false }
        next += length
      }
      return true
    }
  }

  /// The number of bytes of a character; 0 if they break table 3-7 of the Unicode standard (RFC
  /// 3629): none longer than needed, no surrogates, nothing beyond U+10FFFF.
  @inline(never)
  static func lengthOfCharacter(
    at next: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> Int {
    let lead = next.pointee
    if lead < 0x80 { return 1 }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    if lead < 0xC2 || lead > 0xF4 || length > end - next { return 0 }
    for index in 1..<length where next[index] & 0xC0 != 0x80 { return 0 }
    switch lead {
    case 0xE0 where next[1] < 0xA0, 0xED where next[1] > 0x9F: return 0
    case 0xF0 where next[1] < 0x90, 0xF4 where next[1] > 0x8F: return 0
    default: return length
    }
  }
}
