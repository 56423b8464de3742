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
    let number = try reader.integer()
    let least = UInt64(1) << 63
    guard number.isNegative ? number.magnitude <= least : true,
      let value = number.isNegative
        ? Self(exactly: Int64(bitPattern: 0 &- number.magnitude)) : Self(exactly: number.magnitude)
    else { throw JSONReader.outOfRange(at: number.start) }
    return value
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
