extension JSONReader {
  /// Reads an integer in plain digits; its sign and size are for the type to judge.
  @usableFromInline
  mutating func integer() throws(JSONError) -> (magnitude: UInt64, isNegative: Bool, start: Int) {
    skipWhiteSpace()
    let start = offset
    let isNegative = take(UInt8(ascii: "-"))
    guard isAtDigit else { throw isNegative ? unexpected() : mismatch(.number) }
    var magnitude: UInt64 = 0
    if !take(UInt8(ascii: "0")) {
      while isAtDigit {
        let (tenfold, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, overflows) = tenfold.addingReportingOverflow(takeDigit())
        if isTooLarge || overflows { throw JSONError(.numberOutOfRange, at: start) }
        magnitude = sum
      }
    }
    if isAtDigit { throw unexpected() }  // a leading zero
    for byte in [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")] where take(byte) {
      throw JSONError(.notAnInteger, at: start)
    }
    return (magnitude, isNegative, start)
  }
}
