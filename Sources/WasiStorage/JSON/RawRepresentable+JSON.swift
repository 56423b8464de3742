extension JSONValue where Self: RawRepresentable, RawValue: JSONValue {
  /// Reads the raw value and finds what it stands for.
  ///
  /// ```swift
  /// enum Filter: String, JSONValue { case all, active, completed }
  /// let filter = try Filter.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the reason ``JSONError/Reason/invalidValue`` when it stands for
  ///   nothing.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Self {
    reader.skipWhiteSpace()
    let start = reader.offset
    guard let value = Self(rawValue: try RawValue.decode(from: &reader)) else {
      throw JSONError(.invalidValue, at: start)
    }
    return value
  }

  /// Writes the raw value.
  ///
  /// ```swift
  /// try Filter.all.encode(into: &writer)  // "all"
  /// ```
  ///
  /// - Throws: ``JSONError`` of the raw value.
  @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    try rawValue.encode(into: &writer)
  }
}
