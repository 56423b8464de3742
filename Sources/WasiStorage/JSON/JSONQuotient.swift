/// A decimal number as the exact quotient of two natural ones.
struct JSONQuotient {
  private var dividend: JSONNatural
  private var divisor = JSONNatural(1)

  /// How many digits to add; a halfway point of `Double` has at most 767. Of those behind it only
  /// matters whether one is not zero.
  private static var mostDigits: Int { 770 }

  init(_ number: JSONNumber) {
    dividend = JSONNatural(number.magnitude)
    var exponent = Int(number.exponent)
    append(number.rest, &exponent)
    if exponent > 0 { dividend.multiply(byTenTo: exponent) }
    if exponent < 0 { divisor.multiply(byTenTo: -exponent) }
  }

  /// Divides bit by bit, which needs no table and little code, and rounds what is left.
  mutating func rounded(to format: JSONBinary) -> JSONBinary.Rounded {
    let exponent = normalize()
    var significand: UInt64 = 0
    let width = format.width(at: exponent)
    for _ in 0..<max(0, width) {
      significand <<= 1
      if !(dividend < divisor) {
        dividend.subtract(divisor)
        significand |= 1
      }
      dividend.shiftLeft(by: 1)
    }
    let isOdd = significand & 1 == 1
    let isUp = divisor < dividend || (isOdd && !(dividend < divisor))
    return .init(significand: significand + (isUp && width >= 0 ? 1 : 0), exponent: exponent)
  }

  /// Brings the quotient between 1 and 2.
  /// - Returns: Which power of two belongs to it.
  private mutating func normalize() -> Int {
    let exponent = dividend.bitWidth - divisor.bitWidth
    if exponent > 0 { divisor.shiftLeft(by: exponent) } else { dividend.shiftLeft(by: -exponent) }
    guard dividend < divisor else { return exponent }
    dividend.shiftLeft(by: 1)
    return exponent - 1
  }

  /// Adds the digits that had no room in the number's magnitude.
  private mutating func append(_ text: UnsafeBufferPointer<UInt8>, _ exponent: inout Int) {
    var room = Self.mostDigits
    for byte in text where byte != UInt8(ascii: ".") {
      let digit = room > 0 ? byte - UInt8(ascii: "0") : 1
      guard room > 0 || byte != UInt8(ascii: "0") else { continue }
      dividend.multiply(by: 10, adding: UInt32(digit))
      exponent -= 1
      room -= 1
      guard room >= 0 else { return }
    }
  }
}
