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
    let number = try JSONNumber(from: &reader)
    guard let pattern = JSONBinary.double.pattern(of: number) else {
      throw number.error(.numberOutOfRange)
    }
    let magnitude = Double(bitPattern: pattern)
    return number.isNegative ? -magnitude : magnitude
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
    let number = try JSONNumber(from: &reader)
    guard let pattern = JSONBinary.float.pattern(of: number) else {
      throw number.error(.numberOutOfRange)
    }
    let magnitude = Float(bitPattern: UInt32(pattern))
    return number.isNegative ? -magnitude : magnitude
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
