extension Bool: JSONValue {
  /// Reads `true` or `false`.
  ///
  /// ```swift
  /// let isDone = try Bool.decode(from: &reader)
  /// ```
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Bool {
    reader.skipWhiteSpace()
    let isTrue = reader.peek() == UInt8(ascii: "t")
    try reader.take(isTrue ? "true" : "false", .bool)
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
