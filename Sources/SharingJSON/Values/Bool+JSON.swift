extension Bool: JSONValue {
  /// Nil: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads `true` or `false`.
  ///
  /// ```swift
  /// let isDone = try Bool.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` for anything else, at the first wrong byte.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Bool {
    reader.skipWhiteSpace()
    let isTrue = reader.peek() == UInt8(ascii: "t")
    try reader.scan(isTrue ? "true" : "false", .bool)
    return isTrue
  }

  /// Writes `true` or `false`.
  ///
  /// ```swift
  /// try true.encode(into: &writer)
  /// ```
  public func encode(into writer: inout JSONWriter) {
    writer.put(self ? "true" : "false")
  }
}
