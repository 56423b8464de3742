/// A binary floating-point format, and the conversion of decimal digits to it: correctly rounded,
/// ties to even.
struct JSONBinary {
  /// The bits of the significand, including the leading one.
  let precision: Int
  /// The greatest exponent, and the bias of the stored one.
  let bias: Int

  static var double: JSONBinary { JSONBinary(precision: 53, bias: 1023) }
  static var float: JSONBinary { JSONBinary(precision: 24, bias: 127) }

  /// The exponent of the least number that has a leading one.
  private var leastExponent: Int { 1 - bias }

  /// A number that is rounded to a format.
  struct Rounded {
    /// The bits; rounding up may have added one.
    var significand: UInt64
    /// The exponent of the first bit, before rounding.
    var exponent: Int
  }

  /// The bit pattern of a number without its sign; nil if it is too large for the format.
  func pattern(of number: JSONNumber) -> UInt64? {
    // The magnitude is between 1 and 10^19: with lower exponents the number is zero in every
    // format, with higher ones infinite.
    guard number.magnitude > 0, number.exponent >= JSONPowerOfTen.exponents.lowerBound else {
      return 0
    }
    guard number.exponent <= 308 else { return nil }
    if let estimate = estimate(of: number) { return pattern(of: estimate) }
    var quotient = JSONQuotient(number)
    return pattern(of: quotient.rounded(to: self))
  }

  /// The number of bits that the format keeps of a number whose first bit has the exponent: fewer
  /// than its precision for subnormal numbers, negative if it becomes zero.
  func width(at exponent: Int) -> Int {
    min(precision, exponent - leastExponent + precision)
  }

  /// Subnormal numbers have the stored exponent 0 and no leading one. A carry out of the
  /// significand increments the stored exponent, which is the correct result.
  private func pattern(of number: Rounded) -> UInt64? {
    guard number.exponent >= leastExponent else { return number.significand }
    guard number.exponent <= bias else { return nil }
    let leadingOne: UInt64 = 1 << UInt64(precision - 1)
    let pattern = UInt64(number.exponent + bias) * leadingOne + (number.significand - leadingOne)
    return pattern < UInt64(2 * bias + 1) * leadingOne ? pattern : nil
  }

  /// The number by one multiplication of 64 bits; nil, in one of about 700 cases, if these bits do
  /// not determine the rounding.
  ///
  /// This is the first step of D. Lemire, "Number parsing at a gigabyte per second" (2021), which
  /// continues with 128 bits. Here, ``JSONQuotient`` decides the remaining cases.
  private func estimate(of number: JSONNumber) -> Rounded? {
    let power = number.exponent
    let zeros = number.magnitude.leadingZeroBitCount
    let product = (number.magnitude << UInt64(zeros)).multipliedFullWidth(
      by: JSONPowerOfTen(power).high)
    // Both factors have their first bit set, so the first or second bit of the product is set.
    let isShort = product.high >> 63 == 0
    let bits = isShort ? product.high << 1 | product.low >> 63 : product.high
    let exponent = JSONPowerOfTen.floorLog2(power) + 64 - zeros - (isShort ? 1 : 0)
    let width = width(at: exponent)
    guard width >= 0 else {
      return width == -1 ? nil : Rounded(significand: 0, exponent: exponent)
    }
    // The rounded power adds an error of less than four, and omitted digits add at most twice the
    // worth of the last digit.
    let error: UInt64 = number.isExact ? 3 : 3 + 2 << UInt64(zeros)
    let half: UInt64 = 1 << UInt64(63 - width)
    let fraction = bits & (half << 1 &- 1)
    guard fraction > half || fraction + error < half else { return nil }
    let significand = width == 0 ? 0 : bits >> UInt64(64 - width)
    return Rounded(significand: significand + (fraction > half ? 1 : 0), exponent: exponent)
  }
}
