import SharingCore

extension String: JSONValue {
  /// Nil: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads a string.
  ///
  /// ```swift
  /// let title = try String.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` for bytes that are not UTF-8 and for lone surrogates, which no
  ///   `String` can hold.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> String {
    try JSONText(from: &reader).string
  }

  /// Writes a string; only quotation mark, backslash and control characters are escaped.
  ///
  /// ```swift
  /// try "tea \u{2615}".encode(into: &writer)
  /// ```
  public func encode(into writer: inout JSONWriter) {
    withBytes { writer.put(string: $0) }
  }

  /// Calls `body` with the text's UTF-8.
  ///
  /// The mutating `withUTF8` would do the same, but is 2 kB larger in WebAssembly, and counts
  /// references.
  func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if isContiguousUTF8 {
      utf8.withContiguousStorageIfAvailable(body)
    } else {
      withCopiedBytes(body)
    }
  }

  /// Calls `body` with a copy, for text from Objective-C that has no bytes of its own. A function
  /// of its own, or the one above would count references.
  @inline(never)
  private func withCopiedBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    [UInt8](utf8).withUnsafeBufferPointer(body)
  }
}

extension UTF8Text: JSONValue {
  /// Nil: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads a string.
  ///
  /// ```swift
  /// let title = try UTF8Text.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` for bytes that are not UTF-8 and for lone surrogates.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> UTF8Text {
    UTF8Text(try JSONText(from: &reader).utf8)
  }

  /// Writes a string, in the same form as a `String`. Each byte that is not UTF-8 becomes U+FFFD:
  /// the text can be read again.
  ///
  /// ```swift
  /// let text: UTF8Text = "tea"
  /// text.encode(into: &writer)
  /// ```
  public func encode(into writer: inout JSONWriter) {
    let text = JSON.isUTF8(bytes) ? bytes : repairedBytes
    text.withUnsafeBufferPointer { writer.put(string: $0) }
  }
}

extension UTF8Text {
  /// The bytes, with U+FFFD in place of each byte that is not UTF-8.
  private var repairedBytes: [UInt8] {
    var repaired = UTF8Text()
    bytes.withUnsafeBufferPointer { bytes in
      guard var next = bytes.baseAddress else { return }
      let end = next + bytes.count
      while next < end {
        let length = JSON.lengthOfCharacter(at: next, before: end)
        let character = UnsafeBufferPointer(start: next, count: length)
        repaired += length == 0 ? "\u{FFFD}" : UTF8Text(Array(character))
        next += max(1, length)
      }
    }
    return repaired.bytes
  }
}

extension String {
  /// Whether the string has these bytes in UTF-8. Decoding replaces invalid bytes, so a string that
  /// was decoded from invalid bytes does not have them.
  package func hasBytes(_ bytes: [UInt8]) -> Bool {
    KeyName(self).bytes == bytes
  }
}
