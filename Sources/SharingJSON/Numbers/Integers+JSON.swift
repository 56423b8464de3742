extension JSONValue where Self: FixedWidthInteger {
  /// Nil: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads an integer of up to 64 bits, exactly.
  ///
  /// ```swift
  /// let id = try Int64.decode(from: &reader)
  /// ```
  ///
  /// Only plain digits: `1.0` and `1e2` are errors. JavaScript writes every integer below 10^21 so.
  /// - Throws: ``JSONError`` for a fraction or an exponent, and for a value that the type cannot
  ///   hold.
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

extension JSONReader {
  /// Reads an integer in plain digits, and returns its bits in two's complement.
  /// - Parameters:
  ///   - least: the magnitude of the least number of its type.
  ///   - most: the greatest number of its type.
  @inline(never) @usableFromInline
  mutating func integer(least: UInt64, most: UInt64) throws(JSONError) -> UInt64 {
    skipWhiteSpace()
    let start = offset
    let isNegative = scan(UInt8(ascii: "-"))
    let digits = next
    var magnitude: UInt64 = 0
    scanDigits(into: &magnitude)
    if !isPlain(digits), let mistake = mistake(at: start, digits, magnitude) { throw mistake }
    guard magnitude <= (isNegative ? least : most) else {
      throw JSONError(.numberOutOfRange, at: start)
    }
    return isNegative ? 0 &- magnitude : magnitude
  }

  /// Whether the digits that end here are certainly a valid integer: few enough, without a leading
  /// zero, a fraction or an exponent.
  private func isPlain(_ digits: UnsafePointer<UInt8>) -> Bool {
    let count = next - digits
    let behind = next < end ? next.pointee | 0x20 : 0
    return 1...19 ~= count && (digits[0] != UInt8(ascii: "0") || count == 1)
      && behind != UInt8(ascii: ".") && behind != UInt8(ascii: "e")
  }

  /// The error of the number at `start` whose digits end here, or of the text after it.
  @inline(never)
  private mutating func mistake(
    at start: Int, _ digits: UnsafePointer<UInt8>, _ magnitude: UInt64
  ) -> JSONError? {
    let count = next - digits
    if count == 0 { return start == offset ? mismatch(.number) : unexpected() }
    if digits[0] == UInt8(ascii: "0"), count > 1 {
      return JSONError(.unexpectedByte(digits[1]), at: offset - count + 1)
    }
    let behind = next < end ? next.pointee | 0x20 : 0
    if behind == UInt8(ascii: ".") || behind == UInt8(ascii: "e") {
      return JSONError(.notAnInteger, at: start)
    }
    // Of numbers with 20 digits, those fit into 64 bits that begin with 1 and have not wrapped
    // around to less than 10^19.
    let isTooLarge =
      count > 19
      && (count > 20 || digits[0] > UInt8(ascii: "1") || magnitude < 10_000_000_000_000_000_000)
    return isTooLarge ? JSONError(.numberOutOfRange, at: start) : nil
  }
}
