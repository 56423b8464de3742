extension JSONWriter {
  /// Writes an integer.
  @usableFromInline
  package mutating func put(_ magnitude: UInt64, isNegative: Bool) {
    let isQuoted = quotesLargeIntegers && magnitude >> 53 != 0
    if isQuoted { put(UInt8(ascii: "\"")) }
    putDigits(magnitude, isNegative: isNegative)
    if isQuoted { put(UInt8(ascii: "\"")) }
  }

  private mutating func putDigits(_ magnitude: UInt64, isNegative: Bool) {
    if isNegative { put(UInt8(ascii: "-")) }
    let billion: UInt64 = 1_000_000_000
    guard magnitude >= billion else {
      return put(UInt32(truncatingIfNeeded: magnitude), atLeast: 1)
    }
    putDigits(magnitude / billion, isNegative: false)
    put(UInt32(truncatingIfNeeded: magnitude % billion), atLeast: 9)
  }

  /// Writes a number below 10^9, with leading zeros up to a width.
  private mutating func put(_ number: UInt32, atLeast width: Int) {
    var width = width
    var limit: UInt32 = 10
    while width < 9, number >= limit {
      width += 1
      limit &*= 10
    }
    let room = room(for: 9)
    var rest = number
    var index = width
    while index > 0 {
      index -= 1
      // An exact tenth of any 32-bit number, by multiplication: WebAssembly would divide for `/`.
      let tenth = UInt32(truncatingIfNeeded: (UInt64(rest) &* 0xCCCC_CCCD) >> 35)
      room[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest &- tenth &* 10)
      rest = tenth
    }
    didWrite(width)
  }

  /// Writes a number in the form of Swift's `description`: with an exponent if it is large, or less
  /// than 0.0001.
  mutating func put(_ number: JSONDecimal, isNegative: Bool, isLarge: Bool) {
    // Room for all of it at once, since a point may be inserted into the digits.
    _ = room(for: 32)
    if isNegative { put(UInt8(ascii: "-")) }
    let width = number.width
    // The position of the point, from the first digit on.
    let point = width + number.exponent
    if isLarge || point < -3 {
      put(number.digits, of: width, pointAt: 1)
      put(exponent: point - 1)
    } else if point > 0 {
      put(number.digits, of: width, pointAt: point)
      putZeros(point - width)
      if point >= width { put(".0") }
    } else {
      put("0.")
      putZeros(-point)
      putDigits(number.digits, isNegative: false)
    }
  }

  /// Writes digits, with a point among them if its position is less than their number.
  private mutating func put(_ digits: UInt64, of width: Int, pointAt point: Int) {
    guard point < width else { return putDigits(digits, isNegative: false) }
    put(UInt8(ascii: "."))
    putDigits(digits, isNegative: false)
    let first = room(for: 0) - width - 1
    var index = 0
    while index < point {
      first[index] = first[index + 1]
      index += 1
    }
    first[point] = UInt8(ascii: ".")
  }

  private mutating func putZeros(_ count: Int) {
    var left = count
    while left > 0 {
      put(UInt8(ascii: "0"))
      left -= 1
    }
  }

  private mutating func put(exponent: Int) {
    put(exponent < 0 ? "e-" : "e+")
    if exponent.magnitude < 10 { put(UInt8(ascii: "0")) }
    put(UInt64(exponent.magnitude), isNegative: false)
  }
}
