/// The first 128 bits of a power of ten, rounded down; the first bit is set.
///
/// The power of two for these bits follows from the power of ten: see ``floorLog2(_:)``.
struct JSONPowerOfTen {
  let high: UInt64
  let low: UInt64

  /// The powers for writing doubles in 17 digits.
  private static let exponents = -292...324

  /// Computed when the first number with a fraction is written, in about 10 microseconds,
  /// and kept: 10 kB of memory instead of 10 kB to download.
  nonisolated(unsafe) private static let table: UnsafeMutablePointer<JSONPowerOfTen> = {
    let table = UnsafeMutablePointer<JSONPowerOfTen>.allocate(capacity: exponents.count)
    let one = table - exponents.lowerBound
    var power = JSONScaledPower.one
    for exponent in 0...exponents.upperBound {
      (one + exponent).initialize(to: power.leadingBits)
      power.multiplyByTen()
    }
    power = .one
    for exponent in 1 ... -exponents.lowerBound {
      power.divideByTen()
      (one - exponent).initialize(to: power.leadingBits)
    }
    return table
  }()

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ exponent: Int) {
    self = Self.table[exponent - Self.exponents.lowerBound]
  }

  /// The exponent of the greatest power of two that is not above a power of ten, for exponents up
  /// to 1000.
  static func floorLog2(_ exponent: Int) -> Int { (exponent * 217_706) >> 16 }

  /// The same power rounded up; 128 bits hold the powers from 0 to 55 exactly.
  static func roundedUp(_ exponent: Int) -> JSONPowerOfTen {
    let power = JSONPowerOfTen(exponent)
    guard exponent < 0 || exponent > 55 else { return power }
    let (low, carry) = power.low.addingReportingOverflow(1)
    return JSONPowerOfTen(high: power.high &+ (carry ? 1 : 0), low: low)
  }
}

/// A power of ten times a power of two, so that the first of 192 bits is set.
///
/// Each step rounds down. The third word absorbs the errors of the 324 steps: none reaches the
/// second word.
private struct JSONScaledPower {
  private var high: UInt64
  private var middle: UInt64
  private var low: UInt64

  static let one = JSONScaledPower(high: 1 << 63, middle: 0, low: 0)

  var leadingBits: JSONPowerOfTen { JSONPowerOfTen(high: high, low: middle) }

  /// Multiplies by five, and drops the two or three bits by which the number grows.
  mutating func multiplyByTen() {
    var carry: UInt64 = 0
    low = Self.timesFive(low, &carry)
    middle = Self.timesFive(middle, &carry)
    high = Self.timesFive(high, &carry)
    let growth = UInt64(64 - carry.leadingZeroBitCount)
    low = low >> growth | middle << (64 - growth)
    middle = middle >> growth | high << (64 - growth)
    high = high >> growth | carry << (64 - growth)
  }

  /// Divides by five, after a shift to the left that sets the first bit of the result.
  mutating func divideByTen() {
    // 4/5 and 8/5 of the number: the first may begin with a zero, the second may overflow.
    let growth: UInt64 = high < 5 << 61 ? 3 : 2
    var remainder = high >> (64 - growth)
    high = high << growth | middle >> (64 - growth)
    middle = middle << growth | low >> (64 - growth)
    low <<= growth
    high = Self.fifth(high, &remainder)
    middle = Self.fifth(middle, &remainder)
    low = Self.fifth(low, &remainder)
  }

  private static func timesFive(_ word: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (product, isOver) = (word << 2).addingReportingOverflow(word)
    let (sum, isOverToo) = product.addingReportingOverflow(carry)
    carry = word >> 62 + (isOver ? 1 : 0) + (isOverToo ? 1 : 0)
    return sum
  }

  /// Divides a word by five, with a remainder in front of it, whose unit is worth 2^64.
  private static func fifth(_ word: UInt64, _ remainder: inout UInt64) -> UInt64 {
    // 2^64 is five times this, plus one.
    let quotient = remainder * (.max / 5) + word / 5
    let rest = word % 5 + remainder
    remainder = rest % 5
    return quotient + rest / 5
  }
}
