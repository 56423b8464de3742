import Foundation
import RandomSteps
import Testing
import WasiStorage

@Suite("JSON integers")
struct JSONIntegerTests {
  @Test("integers keep all bits to both ends of their range")
  func ranges() throws {
    func ends<Value: FixedWidthInteger & JSONValue>(_ type: Value.Type) throws {
      for value in [Value.min, .max, 0, 1] {
        #expect(try encode(value) == value.description)
        #expect(try decode(type, value.description) == value)
      }
    }
    try ends(Int.self)
    try ends(Int8.self)
    try ends(Int16.self)
    try ends(Int32.self)
    try ends(Int64.self)
    try ends(UInt.self)
    try ends(UInt8.self)
    try ends(UInt16.self)
    try ends(UInt32.self)
    try ends(UInt64.self)
  }

  @Test("an integer beyond its type is an error")
  func outOfRange() {
    let range = JSONError(.numberOutOfRange, at: 0)
    #expect(failure(Int8.self, "128") == range)
    #expect(failure(Int8.self, "-129") == range)
    #expect(failure(UInt8.self, "256") == range)
    #expect(failure(UInt8.self, "-1") == range)
    #expect(failure(UInt64.self, "-1") == range)
    #expect(failure(Int64.self, "9223372036854775808") == range)
    #expect(failure(Int64.self, "-9223372036854775809") == range)
    #expect(failure(Int64.self, "-18446744073709551615") == range)
    #expect(failure(UInt64.self, "18446744073709551616") == range)
    #expect(failure(UInt64.self, "18446744073709551620") == range)
    #expect(failure(UInt64.self, "99999999999999999999999999") == range)
  }

  @Test("a fraction is refused", arguments: ["0.5", "5e-1", "-1.25", "12345678901234567890.5"])
  func fractions(text: String) {
    #expect(failure(UInt64.self, text) == JSONError(.notAnInteger, at: 0))
  }

  @Test("JSONDecoder reads the same integers of up to 15 digits, in every form", arguments: 0..<20)
  func foundation(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var whole = 0
    for _ in 0..<1_000 {
      let text = someNumber(using: &random)
      func compare<Value: JSONValue & Decodable & Equatable>(_ type: Value.Type) {
        let read = try? decode(type, text)
        #expect(read == (try? JSONDecoder().decode(type, from: Data(text.utf8))), "\(text)")
        if read != nil { whole += 1 }
      }
      compare(Int.self)
      compare(Int8.self)
      compare(UInt16.self)
      compare(Int64.self)
    }
    #expect(whole > 500)
  }

  /// A number with a sign, a point, zeros or an exponent, or without them. Of more digits,
  /// Foundation's result may be rounded.
  private func someNumber(using random: inout SplitMix64) -> String {
    let digits = String(Int.random(in: 0..<100_000, using: &random))
    let zeros = String(repeating: "0", count: Int.random(in: 0..<5, using: &random))
    let point = Int.random(in: 0...digits.count, using: &random)
    var text = Bool.random(using: &random) ? "-" : ""
    text += point == 0 ? "0." : digits.prefix(point) + (point == digits.count ? "" : ".")
    text += digits.dropFirst(point) + (text.contains(".") ? zeros : "")
    if Bool.random(using: &random) {
      text += ["e", "E", "e+", "e-"].randomElement(using: &random)!
      text += String(Int.random(in: 0..<8, using: &random))
    }
    return text
  }

  @Test("zero has one digit, and minus zero is zero")
  func zeros() throws {
    #expect(try decode(Int.self, "0") == 0)
    #expect(try decode(Int.self, "-0") == 0)
    #expect(failure(Int.self, "00") == JSONError(.trailingBytes, at: 1))
    #expect(failure(Int.self, "-01") == JSONError(.trailingBytes, at: 2))
    #expect(failure(Int.self, "-") == JSONError(.unexpectedEnd, at: 1))
  }

  @Test("all 64-bit integers round-trip")
  func integerRoundTrips() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<10_000 {
      let value = random.next() >> UInt64.random(in: 0..<64, using: &random)
      #expect(try decode(UInt64.self, try encode(value)) == value)
      let signed = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
      #expect(try decode(Int64.self, try encode(signed)) == signed)
    }
  }
}
