extension JSONReader {
  /// Reads an integer in plain digits; its sign and size are for the type to judge.
  @usableFromInline
  mutating func integer() throws(JSONError) -> (magnitude: UInt64, isNegative: Bool, start: Int) {
    skipWhiteSpace()
    let start = offset
    let isNegative = take(UInt8(ascii: "-"))
    let first = offset
    var magnitude: UInt64 = 0
    var isTooLarge = false
    while isAtDigit {
      let digit = takeDigit()
      isTooLarge = isTooLarge || magnitude > (.max - digit) / 10
      magnitude = magnitude &* 10 &+ digit
    }
    if let mistake = mistake(in: start, digits: first, isTooLarge) { throw mistake }
    return (magnitude, isNegative, start)
  }

  /// What is wrong with the number from `start` to here, or with what follows it.
  private func mistake(in start: Int, digits first: Int, _ isTooLarge: Bool) -> JSONError? {
    if offset == first { return start == first ? mismatch(.number) : unexpected() }
    if input[first] == UInt8(ascii: "0"), offset > first + 1 {
      return JSONError(.unexpectedByte(input[first + 1]), at: first + 1)
    }
    let next = offset < input.count ? input[offset] | 0x20 : 0
    if next == UInt8(ascii: ".") || next == UInt8(ascii: "e") {
      return JSONError(.notAnInteger, at: start)
    }
    return isTooLarge ? JSONError(.numberOutOfRange, at: start) : nil
  }
}
