import SharingCore

extension UTF8Text: JSONValue {
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

  /// Writes a string, as that of a `String` is written.
  ///
  /// ```swift
  /// let text: UTF8Text = "tea"
  /// text.encode(into: &writer)
  /// ```
  public func encode(into writer: inout JSONWriter) {
    bytes.withUnsafeBufferPointer { writer.put(string: $0) }
  }
}
