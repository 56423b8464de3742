/// A decimal number as the exact quotient of two natural numbers.
struct JSONQuotient {
  private var dividend: JSONNatural
  private var divisor = JSONNatural(1)

  /// The number of digits to add: a halfway point of `Double` has at most 767. Of the digits after
  /// them, it only matters whether one is not zero.
  private static var mostDigits: Int { 770 }

  init(_ number: JSONNumber) {
    dividend = JSONNatural(number.magnitude)
    var exponent = number.exponent
    append(number.rest, &exponent)
    if exponent > 0 { dividend.multiply(byTenTo: exponent) }
    if exponent < 0 { divisor.multiply(byTenTo: -exponent) }
  }

  /// Divides bit by bit, which needs no table and little code, and rounds by the remainder.
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
  /// - Returns: The exponent of the power of two for it.
  private mutating func normalize() -> Int {
    let exponent = dividend.bitWidth - divisor.bitWidth
    if exponent > 0 { divisor.shiftLeft(by: exponent) } else { dividend.shiftLeft(by: -exponent) }
    guard dividend < divisor else { return exponent }
    dividend.shiftLeft(by: 1)
    return exponent - 1
  }

  /// Adds the digits that did not fit into the number's magnitude.
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

/// A natural number of any size, with only the operations that convert decimal numbers to binary
/// ones.
struct JSONNatural {
  /// The digits in base 2^32, the least first, without zeros at the end.
  private var words: [UInt32]

  init(_ value: UInt64) {
    words = [UInt32(truncatingIfNeeded: value), UInt32(value >> 32)]
    dropZeros()
  }

  /// The number of bits.
  var bitWidth: Int { words.count * 32 - (words.last?.leadingZeroBitCount ?? 0) }

  /// Multiplies by a small number, then adds another.
  mutating func multiply(by factor: UInt32, adding addend: UInt32 = 0) {
    var carry = UInt64(addend)
    for index in words.indices {
      carry += UInt64(words[index]) * UInt64(factor)
      words[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    if carry > 0 { words.append(UInt32(carry)) }
  }

  /// Multiplies by a power of ten.
  mutating func multiply(byTenTo exponent: Int) {
    for _ in 0..<exponent / 9 { multiply(by: 1_000_000_000) }
    for _ in 0..<exponent % 9 { multiply(by: 10) }
  }

  /// Multiplies by a power of two.
  mutating func shiftLeft(by count: Int) {
    multiply(by: 1 << UInt32(count % 32))
    guard count >= 32, !words.isEmpty else { return }
    words.insert(contentsOf: repeatElement(0, count: count / 32), at: 0)
  }

  /// Subtracts a number that is not greater.
  mutating func subtract(_ other: JSONNatural) {
    var borrow: Int64 = 0
    for index in words.indices {
      let digit = index < other.words.count ? other.words[index] : 0
      borrow += Int64(words[index]) - Int64(digit)
      words[index] = UInt32(truncatingIfNeeded: borrow)
      borrow >>= 32
    }
    dropZeros()
  }

  private mutating func dropZeros() {
    while words.last == 0 { words.removeLast() }
  }

  /// Whether the left number is less.
  static func < (left: JSONNatural, right: JSONNatural) -> Bool {
    guard left.words.count == right.words.count else {
      return left.words.count < right.words.count
    }
    for index in left.words.indices.reversed() where left.words[index] != right.words[index] {
      return left.words[index] < right.words[index]
    }
    return false
  }
}
