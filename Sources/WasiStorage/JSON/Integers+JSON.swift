extension JSONValue where Self: FixedWidthInteger {
  /// Reads an integer of up to 64 bits, exactly.
  ///
  /// ```swift
  /// let id = try Int64.decode(from: &reader)
  /// ```
  ///
  /// Plain digits only: `1.0` and `1e2` are errors. JavaScript writes every integer below 10^21 so.
  /// - Throws: ``JSONError`` for a fraction or an exponent, and for a value that the type cannot hold.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Self {
    guard isSigned else {
      return Self(truncatingIfNeeded: try reader.integer(least: 0, most: UInt64(clamping: max)))
    }
    let bits = try reader.integer(
      least: Int64(clamping: min).magnitude, most: UInt64(Int64(clamping: max)))
    return Self(truncatingIfNeeded: Int64(bitPattern: bits))
  }

  /// Writes the decimal digits.
  ///
  /// ```swift
  /// try (-7).encode(into: &writer)
  /// ```
  @inlinable
  public func encode(into writer: inout JSONWriter) {
    writer.put(UInt64(magnitude), isNegative: self < 0)
  }
}

extension Int: JSONValue {}
extension Int8: JSONValue {}
extension Int16: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}
extension UInt: JSONValue {}
extension UInt8: JSONValue {}
extension UInt16: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}
