/// A binary floating-point format, and the way from decimal digits to it: correctly rounded, ties
/// to even.
struct JSONBinary {
  /// Bits of the significand, with the leading one.
  let precision: Int
  /// The greatest exponent, and the bias of the stored one.
  let bias: Int

  static var double: JSONBinary { JSONBinary(precision: 53, bias: 1023) }
  static var float: JSONBinary { JSONBinary(precision: 24, bias: 127) }

  /// How many digits to add; a halfway point of `Double` has at most 767. Of those behind it only
  /// matters whether one is not zero.
  private static var mostDigits: Int { 770 }

  /// The bit pattern of a number without its sign; nil when it is too large for the format.
  func pattern(of number: JSONNumber) -> UInt64? {
    // Between 1 and 10^19 of these: any format's zero below, any format's infinity above.
    guard number.magnitude > 0, number.exponent > -400 else { return 0 }
    guard number.exponent < 400 else { return nil }
    var digits = JSONNatural(number.magnitude)
    var exponent = Int(number.exponent)
    append(number.rest, to: &digits, &exponent)
    var divisor = JSONNatural(1)
    if exponent > 0 { digits.multiply(byTenTo: exponent) }
    if exponent < 0 { divisor.multiply(byTenTo: -exponent) }
    return pattern(of: &digits, over: &divisor)
  }

  /// Divides bit by bit, which needs no table and little code, and rounds what is left.
  private func pattern(of dividend: inout JSONNatural, over divisor: inout JSONNatural) -> UInt64? {
    // Bring the quotient between 1 and 2, and say which power of two belongs to it.
    var exponent = dividend.bitWidth - divisor.bitWidth
    if exponent > 0 { divisor.shiftLeft(by: exponent) } else { dividend.shiftLeft(by: -exponent) }
    if dividend < divisor {
      dividend.shiftLeft(by: 1)
      exponent -= 1
    }
    let leastNormal = 1 - bias
    let bits = min(precision, exponent - leastNormal + precision)
    guard bits >= 0 else { return 0 }
    var significand: UInt64 = 0
    for _ in 0..<bits {
      significand <<= 1
      if !(dividend < divisor) {
        dividend.subtract(divisor)
        significand |= 1
      }
      dividend.shiftLeft(by: 1)
    }
    let isOdd = significand & 1 == 1
    if divisor < dividend || (isOdd && !(dividend < divisor)) { significand += 1 }
    // Subnormal numbers have the stored exponent 0 and no leading one. A carry out of the
    // significand lands in the stored exponent, where it belongs.
    guard bits == precision else { return significand }
    guard exponent <= bias else { return nil }
    let leadingOne: UInt64 = 1 << UInt64(precision - 1)
    let pattern = UInt64(exponent + bias) * leadingOne + (significand - leadingOne)
    return pattern < UInt64(2 * bias + 1) * leadingOne ? pattern : nil
  }

  /// Adds the digits that had no room in the number's magnitude.
  private func append(
    _ text: UnsafeBufferPointer<UInt8>, to digits: inout JSONNatural,
    _ exponent: inout Int
  ) {
    var room = Self.mostDigits
    for byte in text where byte != UInt8(ascii: ".") {
      let digit = room > 0 ? byte - UInt8(ascii: "0") : 1
      guard room > 0 || byte != UInt8(ascii: "0") else { continue }
      digits.multiply(by: 10, adding: UInt32(digit))
      exponent -= 1
      room -= 1
      guard room >= 0 else { return }
    }
  }
}
