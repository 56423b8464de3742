/// A number as it is written: its sign, digits and exponent, nothing rounded.
@usableFromInline
struct JSONNumber {
  /// Where it lies in the input.
  private(set) var range: Range<Int>
  @usableFromInline private(set) var isNegative = false

  /// As many of the first digits as 64 bits hold, read as an integer.
  private(set) var magnitude: UInt64 = 0

  /// The power of ten that belongs to `magnitude`.
  private(set) var exponent: Int64 = 0

  /// The digits that `magnitude` has no room for, with what follows them.
  var rest: Range<Int> { (firstOfRest ?? range.upperBound)..<range.upperBound }
  private var firstOfRest: Int?

  /// Whether those digits are all zero.
  private(set) var isExact = true

  /// Reads a number of RFC 8259: no plus sign, no leading zeros, digits on both sides of a point.
  @usableFromInline
  init(from reader: inout JSONReader) throws(JSONError) {
    reader.skipWhiteSpace()
    let start = reader.offset
    range = start..<start
    isNegative = reader.take(UInt8(ascii: "-"))
    if !reader.take(UInt8(ascii: "0")) {
      guard isNegative || reader.isAtDigit else { throw reader.mismatch(.number) }
      try readDigits(from: &reader, places: 0)
    }
    if reader.take(UInt8(ascii: ".")) { try readDigits(from: &reader, places: 1) }
    if reader.take(UInt8(ascii: "e")) || reader.take(UInt8(ascii: "E")) {
      try readExponent(from: &reader)
    }
    range = start..<reader.offset
  }

  /// An error about the number as a whole.
  @usableFromInline
  func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(reason, at: range.lowerBound)
  }

  /// Reads at least one digit; `places` is how far each one moves the point.
  private mutating func readDigits(
    from reader: inout JSONReader, places: Int64
  ) throws(JSONError) {
    guard reader.isAtDigit else { throw reader.unexpected() }
    let limit = UInt64.max / 10
    while reader.isAtDigit {
      let digit = reader.takeDigit()
      if firstOfRest == nil, magnitude < limit || (magnitude == limit && digit <= .max % 10) {
        magnitude = magnitude &* 10 &+ digit
        exponent -= places
      } else {
        firstOfRest = firstOfRest ?? reader.offset - 1
        isExact = isExact && digit == 0
        exponent += 1 - places
      }
    }
  }

  /// Reads the written exponent, and stops counting where no text is long enough to make up for it.
  private mutating func readExponent(from reader: inout JSONReader) throws(JSONError) {
    let isNegative = reader.take(UInt8(ascii: "-"))
    if !isNegative { _ = reader.take(UInt8(ascii: "+")) }
    guard reader.isAtDigit else { throw reader.unexpected() }
    var written: Int64 = 0
    while reader.isAtDigit {
      let digit = reader.takeDigit()
      if written < 1_000_000_000_000 { written = written * 10 + Int64(digit) }
    }
    exponent += isNegative ? -written : written
  }
}
