extension JSONReader {
  /// Reads over a number of RFC 8259: no plus sign, no leading zeros, digits on both sides of a point.
  mutating func skipNumber() throws(JSONError) {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try skipDigits() }
    if take(UInt8(ascii: ".")) { try skipDigits() }
    guard take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) else { return }
    if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
    try skipDigits()
  }

  @inline(never)
  private mutating func skipDigits() throws(JSONError) {
    guard isAtDigit else { throw unexpected() }
    repeat { next += 1 } while isAtDigit
  }
}
