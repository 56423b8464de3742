extension Optional: JSONValue where Wrapped: JSONValue {
  /// Reads `null` as nil, and anything else as a value.
  ///
  /// ```swift
  /// let due = try Int?.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` of the value.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Wrapped? {
    reader.skipWhiteSpace()
    guard reader.peek() == UInt8(ascii: "n") else { return try Wrapped.decode(from: &reader) }
    try reader.take("null", .null)
    return nil
  }

  /// Writes nil as `null`.
  ///
  /// ```swift
  /// try Int?.none.encode(into: &writer)
  /// ```
  ///
  /// - Throws: ``JSONError`` of the value.
  @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    guard let value = self else { return writer.null() }
    try value.encode(into: &writer)
  }
}
