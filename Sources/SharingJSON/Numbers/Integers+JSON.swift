extension JSONValue where Self: FixedWidthInteger {
  /// Nil: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads an integer of up to 64 bits, exactly.
  ///
  /// ```swift
  /// let id = try Int64.decode(from: &reader)
  /// ```
  ///
  /// The form does not matter: `100`, `100.0` and `1e2` are one number.
  /// - Throws: ``JSONError`` for a fraction, and for a value that the type cannot hold.
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
  /// Reads an integer, and returns its bits in two's complement.
  /// - Parameters:
  ///   - least: the magnitude of the least number of its type.
  ///   - most: the greatest number of its type.
  @inline(never) @usableFromInline
  mutating func integer(least: UInt64, most: UInt64) throws(JSONError) -> UInt64 {
    skipWhiteSpace()
    let number = next
    let isNegative = scan(UInt8(ascii: "-"))
    let digits = next
    var magnitude: UInt64? = 0
    scanDigits(into: &magnitude!)
    if !isPlain(digits) {
      next = number
      magnitude = try wholeNumber()
    }
    guard let magnitude, magnitude <= (isNegative ? least : most) else {
      throw JSONError(.numberOutOfRange, at: number - start)
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

  /// Reads a whole number in any form, such as `7.0` and `1e2`.
  /// - Returns: Its magnitude; nil if that has more than 64 bits.
  @inline(never)
  private mutating func wholeNumber() throws(JSONError) -> UInt64? {
    guard kindHere == .number else { throw mismatch(.number) }
    let first = next
    var (end, wholeDigits) = try skipNumber()
    var magnitude: UInt64 = 0
    var byte = first
    while byte < end || (wholeDigits > 0 && magnitude > 0) {
      var digit: UInt64 = 0
      if byte < end {
        byte += 1
        guard byte[-1] >= UInt8(ascii: "0") else { continue }  // the sign or the point
        digit = UInt64(byte[-1] & 0xF)
      }
      if wholeDigits > 0 {
        guard magnitude <= (.max - digit) / 10 else { return nil }
        magnitude = magnitude * 10 + digit
      } else if digit > 0 {
        throw JSONError(.notAnInteger, at: first - start)
      }
      wholeDigits -= 1
    }
    return magnitude
  }
}

extension JSONReader {
  /// Skips a number of RFC 8259: no plus sign, no leading zeros, digits on both sides of a point.
  /// - Returns: The end of its digits, and how many of them are in front of the point when the
  ///   exponent has moved it: 3 for `1.25e2`, -1 for `0.5e-2`.
  @discardableResult
  mutating func skipNumber() throws(JSONError) -> (end: UnsafePointer<UInt8>, wholeDigits: Int) {
    _ = skip(UInt8(ascii: "-"))
    let digits = next
    if !skip(UInt8(ascii: "0")) { _ = try skipDigits() }
    let wholeDigits = next - digits
    if skip(UInt8(ascii: ".")) { _ = try skipDigits() }
    let end = next
    guard skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) else { return (end, wholeDigits) }
    let isNegative = skip(UInt8(ascii: "-"))
    if !isNegative { _ = skip(UInt8(ascii: "+")) }
    let exponent = try skipDigits()
    return (end, isNegative ? wholeDigits - exponent : wholeDigits + exponent)
  }

  /// Skips digits, one at least.
  /// - Returns: Their number. From 10^8 on it is too small, but no text has as many digits.
  @inline(never)
  private mutating func skipDigits() throws(JSONError) -> Int {
    guard isAtDigit else { throw unexpected() }
    var number = 0
    repeat {
      let digit = Int(truncatingIfNeeded: scanDigit())
      if number < 100_000_000 { number = number &* 10 &+ digit }
    } while isAtDigit
    return number
  }
}
