/// The shortest decimal number that is read as a given binary one; of several, the closest to it.
///
/// R. Giulietti, "The Schubfach way to render doubles" (2021): of the decimal numbers with as many
/// digits as the gap to the neighbours requires, two can be the closest, and four comparisons
/// decide.
///
/// Swift's `description` has the same digits. With it, a program with a `Double` under a key is
/// 7 kB (gzip) larger.
struct JSONDecimal {
  /// The digits as an integer, without trailing zeros; zero for zero.
  private(set) var digits: UInt64
  /// The power of ten for these digits.
  private(set) var exponent: Int

  /// The number of digits.
  var width: Int {
    var width = 1
    var limit: UInt64 = 10
    while digits >= limit {
      width += 1
      limit *= 10
    }
    return width
  }

  init(_ value: Double) {
    self.init(
      significand: value.significandBitPattern, exponent: Int(value.exponentBitPattern),
      precision: 53, bias: 1023)
  }

  init(_ value: Float) {
    self.init(
      significand: UInt64(value.significandBitPattern), exponent: Int(value.exponentBitPattern),
      precision: 24, bias: 127)
  }

  /// - Parameters:
  ///   - significand: The stored bits, without the leading one.
  ///   - exponent: The stored exponent, with the bias.
  ///   - precision: The bits of the significand, including the leading one.
  private init(significand: UInt64, exponent: Int, precision: Int, bias: Int) {
    let leadingOne: UInt64 = 1 << UInt64(precision - 1)
    let isNormal = exponent > 0
    let whole = isNormal ? significand + leadingOne : significand
    let power = max(exponent, 1) - bias - (precision - 1)
    if whole == 0 || (power <= 0 && whole.trailingZeroBitCount >= -power) {
      (digits, self.exponent) = (whole >> UInt64(-power), 0)
    } else {
      let isGapUneven = significand == 0 && exponent > 1
      (digits, self.exponent) = Self.shortest(whole, power, isGapUneven)
    }
    while digits >= 10, digits % 10 == 0 {
      digits /= 10
      self.exponent += 1
    }
  }

  /// - Parameter isGapUneven: Whether the neighbour below is half as far away as the one above.
  private static func shortest(
    _ significand: UInt64, _ power: Int, _ isGapUneven: Bool
  ) -> (UInt64, Int) {
    // The number of digits to leave out: those that are worth less than the gap.
    let places = (power * 1_262_611 - (isGapUneven ? 524_031 : 0)) >> 22
    let scale = JSONPowerOfTen.roundedUp(-places)
    let shift = UInt64(power + JSONPowerOfTen.floorLog2(-places) + 1)
    // All in quarters: the number, and the midpoints to its neighbours.
    let number = scale.timesQuarters(4 * significand << shift)
    let isOdd = significand & 1
    let least = scale.timesQuarters((4 * significand - (isGapUneven ? 1 : 2)) << shift) + isOdd
    let greatest = scale.timesQuarters((4 * significand + 2) << shift) - isOdd
    let below = number / 4
    let tens = below / 10
    let isTensIn = least <= 40 * tens
    if below >= 10, isTensIn != (40 * tens + 40 <= greatest) {
      return (tens + (isTensIn ? 0 : 1), places + 1)
    }
    let isBelowIn = least <= 4 * below
    if isBelowIn != (4 * below + 4 <= greatest) { return (below + (isBelowIn ? 0 : 1), places) }
    let middle = 4 * below + 2
    let isUp = number > middle || (number == middle && below & 1 == 1)
    return (below + (isUp ? 1 : 0), places)
  }
}

extension JSONPowerOfTen {
  /// The first 64 bits of the product. The last of them is set if bits after it were left out.
  fileprivate func timesQuarters(_ quarters: UInt64) -> UInt64 {
    let product = high.multipliedFullWidth(by: quarters)
    let (middle, carry) = product.low.addingReportingOverflow(
      low.multipliedFullWidth(by: quarters).high)
    return (product.high &+ (carry ? 1 : 0)) | (middle > 1 ? 1 : 0)
  }
}
