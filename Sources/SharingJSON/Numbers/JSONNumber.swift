/// A number as it is written: its sign, digits and exponent, not rounded.
@usableFromInline
struct JSONNumber {
  /// Its offset in the input.
  private let start: Int
  @usableFromInline private(set) var isNegative = false

  /// The first 19 significant digits, as an integer.
  private(set) var magnitude: UInt64 = 0

  /// The power of ten for `magnitude`.
  private(set) var exponent = 0

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
    var first = reader.next
    isNegative = first.pointee == UInt8(ascii: "-")
    if isNegative { first += 1 }
    let (end, wholeDigits) = try reader.skipNumber()
    exponent = wholeDigits
    var kept = 0
    var next = first
    while next < end {
      let digit = UInt64(next.pointee & 0xF)
      next += 1
      if next[-1] == UInt8(ascii: ".") { continue }
      if kept < Self.mostDigits {
        magnitude = magnitude &* 10 &+ digit
        exponent -= 1
        if magnitude > 0 { kept += 1 }
      } else {
        if rest.isEmpty { rest = UnsafeBufferPointer(start: next - 1, count: end - next + 1) }
        isExact = isExact && digit == 0
      }
    }
  }

  /// An error about the number as a whole.
  @usableFromInline
  func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(reason, at: start)
  }

  /// The number of digits that always fit into 64 bits.
  private static var mostDigits: Int { 19 }
}

extension JSONReader {
  /// Skips a number of RFC 8259: no plus sign, no leading zeros, digits on both sides of a point.
  /// - Returns: The end of its digits, and how many of them are in front of the point when the
  ///   exponent has moved it: 3 for `1.25e2`, -1 for `0.5e-2`.
  @discardableResult
  mutating func skipNumber() throws(JSONError) -> (end: UnsafePointer<UInt8>, wholeDigits: Int) {
    _ = skip(UInt8(ascii: "-"))
    let digits = next
    if !skip(UInt8(ascii: "0")) { _ = try skipDigits() }
    let wholeDigits = next - digits
    if skip(UInt8(ascii: ".")) { _ = try skipDigits() }
    let end = next
    guard skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) else { return (end, wholeDigits) }
    let isNegative = skip(UInt8(ascii: "-"))
    if !isNegative { _ = skip(UInt8(ascii: "+")) }
    let exponent = try skipDigits()
    return (end, isNegative ? wholeDigits - exponent : wholeDigits + exponent)
  }

  /// Skips digits, one at least.
  /// - Returns: Their number. From 10^8 on it is too small, but no text has as many digits.
  @inline(never)
  private mutating func skipDigits() throws(JSONError) -> Int {
    guard isAtDigit else { throw unexpected() }
    var number = 0
    repeat {
      let digit = Int(truncatingIfNeeded: scanDigit())
      if number < 100_000_000 { number = number &* 10 &+ digit }
    } while isAtDigit
    return number
  }
}
