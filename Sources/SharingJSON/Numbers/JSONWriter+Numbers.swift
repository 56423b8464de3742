extension JSONWriter {
  /// Writes an integer.
  @usableFromInline
  package mutating func put(_ magnitude: UInt64, isNegative: Bool) {
    let isQuoted = quotesLargeIntegers && magnitude >> 53 != 0
    if isQuoted { put(UInt8(ascii: "\"")) }
    if isNegative { put(UInt8(ascii: "-")) }
    put(magnitude, decimals: 0)
    if isQuoted { put(UInt8(ascii: "\"")) }
  }

  /// Writes digits, with a point in front of the last ones. Zeros fill up the decimals: 5 with two
  /// of them is `0.05`.
  private mutating func put(_ digits: UInt64, decimals: Int) {
    if digits > 9 || decimals > 0 { put(digits / 10, decimals: decimals - 1) }
    if decimals == 1 { put(UInt8(ascii: ".")) }
    put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10))
  }

  /// Writes a number in the form of Swift's `description`: with an exponent if it is large, or less
  /// than 0.0001.
  mutating func put(_ number: JSONDecimal, isNegative: Bool, isLarge: Bool) {
    if isNegative { put(UInt8(ascii: "-")) }
    let decimals = number.width - 1
    let exponent = decimals + number.exponent
    if isLarge || exponent < -4 {
      put(number.digits, decimals: decimals)
      put(exponent < 0 ? "e-" : "e+")
      if exponent.magnitude < 10 { put(UInt8(ascii: "0")) }
      put(UInt64(exponent.magnitude), decimals: 0)
    } else if number.exponent < 0 {
      put(number.digits, decimals: -number.exponent)
    } else {
      put(number.digits, decimals: 0)
      for _ in 0..<number.exponent { put(UInt8(ascii: "0")) }
      put(".0")
    }
  }
}
