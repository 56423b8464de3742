extension JSONReader {
  /// Reads an integer in plain digits; its sign and size are for the type to judge.
  @usableFromInline
  mutating func integer() throws(JSONError) -> (magnitude: UInt64, isNegative: Bool, start: Int) {
    skipWhiteSpace()
    let start = offset
    let isNegative = take(UInt8(ascii: "-"))
    let digits = next
    var magnitude: UInt64 = 0
    while isAtDigit { magnitude = magnitude &* 10 &+ takeDigit() }
    if !isPlain(digits), let mistake = mistake(at: start, digits, magnitude) { throw mistake }
    return (magnitude, isNegative, start)
  }

  /// The error for an integer that its type cannot hold. Not inlined, as every field has a copy of its
  /// caller.
  @inline(never) @usableFromInline
  static func outOfRange(at start: Int) -> JSONError { JSONError(.numberOutOfRange, at: start) }

  /// Whether the digits that end here are so few, and begin and end so, that nothing can be wrong.
  @inline(__always)
  private func isPlain(_ digits: UnsafePointer<UInt8>) -> Bool {
    let count = next - digits
    let behind = next < end ? next.pointee | 0x20 : 0
    return 1...19 ~= count && (digits[0] != UInt8(ascii: "0") || count == 1)
      && behind != UInt8(ascii: ".") && behind != UInt8(ascii: "e")
  }

  /// What is wrong with the number at `start` whose digits end here, or with what follows it.
  @inline(never)
  private mutating func mistake(
    at start: Int, _ digits: UnsafePointer<UInt8>, _ magnitude: UInt64
  ) -> JSONError? {
    let count = next - digits
    if count == 0 { return start == offset ? mismatch(.number) : unexpected() }
    if digits[0] == UInt8(ascii: "0"), count > 1 {
      return JSONError(.unexpectedByte(digits[1]), at: offset - count + 1)
    }
    let behind = next < end ? next.pointee | 0x20 : 0
    if behind == UInt8(ascii: ".") || behind == UInt8(ascii: "e") {
      return JSONError(.notAnInteger, at: start)
    }
    // Of 20 digits, 64 bits hold what begins with 1 and has not come round to less than 10^19.
    let isTooLarge =
      count > 19
      && (count > 20 || digits[0] > UInt8(ascii: "1") || magnitude < 10_000_000_000_000_000_000)
    return isTooLarge ? JSONError(.numberOutOfRange, at: start) : nil
  }
}
