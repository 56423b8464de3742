/// A natural number of any size, with just the operations that decimal numbers need to become
/// binary ones.
struct JSONNatural {
  /// The digits to the base 2^32, the least first, and no zeros last.
  private var words: [UInt32]

  init(_ value: UInt64) {
    words = [UInt32(truncatingIfNeeded: value), UInt32(value >> 32)]
    dropZeros()
  }

  /// How many bits it takes to write the number.
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

  /// Whether the left number is the smaller one.
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
