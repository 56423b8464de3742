extension Double: JSONValue {
  /// Nil: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads a number, rounded once to the nearest `Double`, ties to even.
  ///
  /// ```swift
  /// let price = try Double.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` for a number beyond the greatest `Double`; one that is too small
  ///   becomes zero.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Double {
    let text = try reader.number()
    return try reader.finite(Double(number: text), text)
  }

  /// Writes the shortest digits that are read as exactly this number.
  ///
  /// ```swift
  /// try 0.1.encode(into: &writer)  // 0.1
  /// ```
  ///
  /// - Throws: ``JSONError`` for NaN and infinities.
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    guard isFinite else { throw writer.error(.notFinite) }
    writer.put(JSONDecimal(self), isNegative: sign == .minus, isLarge: magnitude > 0x1p53)
  }
}

extension Float: JSONValue {
  /// Nil: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads a number, rounded once to the nearest `Float`, ties to even.
  ///
  /// ```swift
  /// let opacity = try Float.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` for a number beyond the greatest `Float`; one that is too small
  ///   becomes zero.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Float {
    let text = try reader.number()
    return try reader.finite(Float(number: text), text)
  }

  /// Writes the shortest digits that are read as exactly this number.
  ///
  /// ```swift
  /// try Float(0.1).encode(into: &writer)  // 0.1
  /// ```
  ///
  /// - Throws: ``JSONError`` for NaN and infinities.
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    guard isFinite else { throw writer.error(.notFinite) }
    writer.put(JSONDecimal(self), isNegative: sign == .minus, isLarge: magnitude > 0x1p24)
  }
}

extension JSONReader {
  /// Reads a number, and returns its text.
  fileprivate mutating func number() throws(JSONError) -> UnsafeBufferPointer<UInt8> {
    skipWhiteSpace()
    guard kindHere == .number else { throw mismatch(.number) }
    let first = next
    try skipNumber()
    return UnsafeBufferPointer(start: first, count: next - first)
  }

  /// Returns the value of the text that was just read.
  /// - Throws: ``JSONError`` if it is infinite.
  fileprivate func finite<Number: BinaryFloatingPoint>(
    _ value: Number, _ text: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) -> Number {
    guard value.isFinite else { throw JSONError(.numberOutOfRange, at: offset - text.count) }
    return value
  }
}
