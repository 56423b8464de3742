extension JSONValue where Self: RawRepresentable, RawValue: JSONValue {
  /// The member writer of the raw value.
  public static var _memberWriter: _UnknownMemberWriter? { RawValue._memberWriter }

  /// Reads the raw value, and returns the value that has it.
  ///
  /// ```swift
  /// enum Level: Int, JSONValue { case low, high }
  /// let level = try Level.decode(from: &reader)
  /// ```
  ///
  /// In WebAssembly, an enum of `String` costs 29 kB (gzip), since Swift finds its cases by
  /// comparing strings, which needs Unicode's tables. One that is `CaseIterable` costs almost
  /// nothing.
  /// - Throws: ``JSONError`` if no value has it.
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
  /// try Level.low.encode(into: &writer)  // 0
  /// ```
  ///
  /// - Throws: ``JSONError`` of the raw value.
  @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    try rawValue.encode(into: &writer)
  }
}

extension JSONValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// Reads the raw value and finds the case that has it, byte by byte.
  ///
  /// ```swift
  /// enum Theme: String, CaseIterable, JSONValue { case light, dark }
  /// let theme = try Theme.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` if no case has it.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Self {
    reader.skipWhiteSpace()
    let start = reader.offset
    guard let value = named(try JSONText(from: &reader).utf8) else {
      throw JSONError(.invalidValue, at: start)
    }
    return value
  }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// The case whose raw value has these bytes, found without comparing strings.
  package static func named(_ bytes: [UInt8]) -> Self? {
    allCases.first { $0.rawValue.hasBytes(bytes) }
  }
}
