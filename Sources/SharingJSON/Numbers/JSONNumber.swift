/// A number as it is written: its sign, digits and exponent, not rounded.
@usableFromInline
struct JSONNumber {
  /// Its offset in the input.
  private let start: Int
  @usableFromInline private(set) var isNegative = false

  /// The first 19 significant digits, as an integer.
  private(set) var magnitude: UInt64 = 0

  /// The power of ten for `magnitude`.
  private(set) var exponent: Int64 = 0

  /// The digits that do not fit into `magnitude`, perhaps with a point among them.
  private(set) var rest = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// Whether the digits of `rest` are all zero.
  private(set) var isExact = true

  /// Reads a number: first to check it, then for its value.
  @usableFromInline
  init(from reader: inout JSONReader) throws(JSONError) {
    reader.skipWhiteSpace()
    start = reader.offset
    guard reader.kindHere == .number else { throw reader.mismatch(.number) }
    let first = reader.next
    try reader.skipNumber()
    var text = JSONReader(unowned: UnsafeRawBufferPointer(start: first, count: reader.next - first))
    isNegative = text.scan(UInt8(ascii: "-"))
    let digits = text.next
    readDigits(from: &text)
    if text.scan(UInt8(ascii: ".")) {
      let places = text.next
      readDigits(from: &text)
      exponent = Int64(places - text.next)
    }
    let count = text.next - digits
    if count > Self.mostDigits { shorten(UnsafeBufferPointer(start: digits, count: count)) }
    if text.scan(UInt8(ascii: "e")) || text.scan(UInt8(ascii: "E")) { readExponent(from: &text) }
  }

  /// An error about the number as a whole.
  @usableFromInline
  func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(reason, at: start)
  }

  /// The number of digits that always fit into 64 bits.
  private static var mostDigits: Int { 19 }

  /// Reads digits. If there are too many, the magnitude is wrong until `shorten` reads them again.
  private mutating func readDigits(from text: inout JSONReader) {
    text.scanDigits(into: &magnitude)
  }

  /// Reads the digits again, and keeps the first ones, which fit.
  @inline(never)
  private mutating func shorten(_ digits: UnsafeBufferPointer<UInt8>) {
    var kept = 0
    var places: Int64 = 0
    (magnitude, exponent) = (0, 0)
    for (index, byte) in digits.enumerated() {
      guard byte != UInt8(ascii: ".") else {
        places = 1
        continue
      }
      let digit = UInt64(byte - UInt8(ascii: "0"))
      if kept < Self.mostDigits {
        magnitude = magnitude * 10 + digit
        exponent -= places
        if magnitude > 0 { kept += 1 }
      } else {
        if rest.isEmpty { rest = UnsafeBufferPointer(rebasing: digits[index...]) }
        isExact = isExact && digit == 0
        exponent += 1 - places
      }
    }
  }

  /// Reads the written exponent, and stops counting where no text could be long enough to offset
  /// it.
  private mutating func readExponent(from text: inout JSONReader) {
    let isNegative = text.scan(UInt8(ascii: "-"))
    if !isNegative { _ = text.scan(UInt8(ascii: "+")) }
    var written: Int64 = 0
    while text.isAtDigit {
      let digit = text.scanDigit()
      if written < 1_000_000_000_000 { written = written * 10 + Int64(digit) }
    }
    exponent += isNegative ? -written : written
  }
}

extension JSONReader {
  /// Skips a number of RFC 8259: no plus sign, no leading zeros, digits on both sides of a point.
  mutating func skipNumber() throws(JSONError) {
    _ = scan(UInt8(ascii: "-"))
    if !scan(UInt8(ascii: "0")) { try skipDigits() }
    if scan(UInt8(ascii: ".")) { try skipDigits() }
    guard scan(UInt8(ascii: "e")) || scan(UInt8(ascii: "E")) else { return }
    if !scan(UInt8(ascii: "-")) { _ = scan(UInt8(ascii: "+")) }
    try skipDigits()
  }

  @inline(never)
  private mutating func skipDigits() throws(JSONError) {
    guard isAtDigit else { throw unexpected() }
    repeat { next += 1 } while isAtDigit
  }
}
