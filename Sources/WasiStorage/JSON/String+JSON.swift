extension String: JSONValue {
  /// Reads a string.
  ///
  /// ```swift
  /// let title = try String.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` for bytes that are not UTF-8 and for lone surrogates, which no
  ///   `String` can hold.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> String {
    try JSONText(from: &reader).string(in: reader.input)
  }

  /// Writes a string; only quotation mark, backslash and control characters are escaped.
  ///
  /// ```swift
  /// try "tea \u{2615}".encode(into: &writer)
  /// ```
  public func encode(into writer: inout JSONWriter) {
    withBytes { writer.put(string: $0) }
  }

  /// Lends the text's UTF-8; copies it first where it is bridged from Objective-C and has none.
  ///
  /// The mutating `withUTF8` would do, but is 2 kB larger in WebAssembly, and counts references.
  func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    let done: Void? = utf8.withContiguousStorageIfAvailable(body)
    guard done == nil else { return }
    [UInt8](utf8).withUnsafeBufferPointer(body)
  }
}
