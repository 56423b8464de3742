import RandomSteps
import Foundation
import Testing
import WasiStorage

@Suite("JSON floating point")
struct JSONFloatingPointTests {
  static let hard: [(String, UInt64)] = [
    ("0", 0), ("-0", 1 << 63), ("-0.0", 1 << 63), ("0e400", 0), ("1", 0x3FF0_0000_0000_0000),
    ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF),
    ("2.2250738585072012e-308", 0x0010_0000_0000_0000),
    ("2.2250738585072014e-308", 0x0010_0000_0000_0000), ("9007199254740993", 0x4340_0000_0000_0000),
    ("9007199254740993.00000000000000000000000000000000001", 0x4340_0000_0000_0001),
    ("9007199254740992.99999999999999999999999999999999999", 0x4340_0000_0000_0000),
    ("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF),
    ("1.7976931348623158e308", 0x7FEF_FFFF_FFFF_FFFF),
    ("5e-324", 1), ("4.9406564584124654e-324", 1), ("2.4703282292062328e-324", 1),
    ("2.4703282292062327e-324", 0),
    ("1e-999999999", 0), ("-1e-99999999999999999999", 1 << 63), ("1e-400", 0),
    ("6.631236846766476e-316", 0x0800_0000),
    ("1e23", 0x44B5_2D02_C7E1_4AF6),
    ("1e22", 0x4480_F0CF_064D_D592),
    ("0.500000000000000166533453693773481063544750213623046875", 0x3FE0_0000_0000_0002),
    ("1.00000000000000011102230246251565404236316680908203125", 0x3FF0_0000_0000_0000),
    ("1.00000000000000011102230246251565404236316680908203124", 0x3FF0_0000_0000_0000),
    ("1.00000000000000011102230246251565404236316680908203126", 0x3FF0_0000_0000_0001),
    ("1.00000000000000033306690738754696212708950042724609375", 0x3FF0_0000_0000_0002),
  ]

  @Test("hard decimals are rounded to the nearest double, ties to even", arguments: hard)
  func hardDoubles(text: String, bits: UInt64) throws {
    #expect(try decode(Double.self, text).bitPattern == bits)
    #expect(Double(text)?.bitPattern == bits)
  }

  @Test("a digit far behind a halfway point still decides", arguments: [800, 5_000])
  func sticky(zeros: Int) throws {
    let half = "1.00000000000000011102230246251565404236316680908203125"
    let zeros = String(repeating: "0", count: zeros)
    #expect(try decode(Double.self, half + zeros) == 1)
    #expect(try decode(Double.self, half + zeros + "1") == 1.0.nextUp)
  }

  @Test("each digit behind those that 64 bits hold decides about a halfway point", arguments: 1...9)
  func twentieth(digit: Int) throws {
    let half = "9007199254740993.000"
    #expect(try decode(Double.self, half + "0") == 9_007_199_254_740_992)
    #expect(try decode(Double.self, half + "\(digit)") == 9_007_199_254_740_994)
    #expect(try decode(Double.self, half + "0\(digit)0") == 9_007_199_254_740_994)
  }

  @Test(
    "a number beyond the greatest double is an error",
    arguments: [
      "1e309", "-1e309", "1e999999999", "1e99999999999999999999999", "1.7976931348623159e308",
      "17976931348623159e292",
      "179769313486231580793728971405304e276",
    ])
  func tooLarge(text: String) {
    #expect(failure(Double.self, text) == JSONError(.numberOutOfRange, at: 0))
  }

  @Test("a long text and a large exponent can make up for each other")
  func longText() throws {
    let zeros = String(repeating: "0", count: 100_000)
    #expect(try decode(Double.self, "0.\(zeros)1e100001") == 1)
    #expect(try decode(Double.self, "1\(zeros)e-100000") == 1)
    let digits = String(repeating: "7", count: 1_000_000)
    #expect(try decode(Double.self, "0.\(digits)") == 0.7777777777777778)
    #expect(failure(Double.self, digits)?.reason == .numberOutOfRange)
  }

  @Test("doubles of every size round-trip bit for bit, and are written as Swift describes them")
  func doubleRoundTrips() throws {
    var random = SplitMix64(seed: 1)
    for exponent in 0..<UInt64(2047) {
      let some = (0..<16).map { _ in random.next() & 0x800F_FFFF_FFFF_FFFF }
      // The neighbour below a power of two is nearer than the one above.
      for fraction in [0, 1, 2, 0xF_FFFF_FFFF_FFFE, 0xF_FFFF_FFFF_FFFF, 0x8_0000_0000_0000] + some {
        let value = Double(bitPattern: fraction | exponent << 52)
        #expect(try encode(value) == value.description)
        #expect(try decode(Double.self, value.description).bitPattern == value.bitPattern)
      }
    }
  }

  @Test("floats of every size round-trip bit for bit, and are written as Swift describes them")
  func floatRoundTrips() throws {
    var random = SplitMix64(seed: 2)
    for exponent in 0..<UInt32(255) {
      let some = (0..<64).map { _ in UInt32(truncatingIfNeeded: random.next()) & 0x807F_FFFF }
      for fraction in [0, 1, 2, 0x7F_FFFE, 0x7F_FFFF, 0x40_0000] + some {
        let value = Float(bitPattern: fraction | exponent << 23)
        #expect(try encode(value) == value.description)
        #expect(try decode(Float.self, value.description).bitPattern == value.bitPattern)
      }
    }
    #expect(failure(Float.self, "3.5e38")?.reason == .numberOutOfRange)
  }

  @Test("numbers of few digits are written as Swift describes them")
  func fewDigits() throws {
    var random = SplitMix64(seed: 9)
    for power in -25...25 {
      for _ in 0..<40 {
        let value = Double("\(random.next() % 20_000)e\(power)") ?? 0
        #expect(try encode(value) == value.description)
      }
    }
  }

  @Test("random decimals are read as the C library reads them")
  func oracle() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<20_000 {
      let digits = (0..<Int.random(in: 1...25, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }
      let whole = Int.random(in: 1...9, using: &random)
      let exponent = Int.random(in: -345...307, using: &random)
      let text = "\(whole).\(digits.joined())e\(exponent)"
      #expect(try decode(Double.self, text).bitPattern == strtod(text, nil).bitPattern)
      let float = (try? decode(Float.self, text)) ?? .infinity
      #expect(float.bitPattern == strtof(text, nil).bitPattern)
    }
  }

  @Test("half of the least number is zero, and anything more is not")
  func leastHalf() throws {
    let least = String(format: "%.1074f", Double.leastNonzeroMagnitude)
    #expect(try decode(Double.self, least) == .leastNonzeroMagnitude)
    var rest = 0
    let half = least.map { digit in
      guard let digit = digit.wholeNumberValue else { return "." }
      defer { rest = (rest * 10 + digit) % 2 }
      return "\((rest * 10 + digit) / 2)"
    }.joined()
    #expect(rest == 1)
    #expect(try decode(Double.self, half + "4") == 0)
    #expect(try decode(Double.self, half + "5") == 0)
    #expect(try decode(Double.self, half + "51") == .leastNonzeroMagnitude)
  }

  @Test("halfway points between neighbours go to the even one")
  func halfway() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<2_000 {
      // 54-bit integers with the last bit set lie exactly between two doubles.
      let tie = UInt64.random(in: 1 << 53..<1 << 54, using: &random) | 1
      let text = "\(tie)"
      #expect(try decode(Double.self, text) == strtod(text, nil))
      #expect(try decode(Double.self, text + "e-30") == strtod(text + "e-30", nil))
    }
  }

  @Test(
    "doubles are written shortest, and as valid JSON",
    arguments: [
      (0.1, "0.1"), (1, "1.0"), (1e20, "1e+20"), (.leastNonzeroMagnitude, "5e-324"), (-0.0, "-0.0"),
      (1e16, "1e+16"), (123456.75, "123456.75"),
    ])
  func written(value: Double, text: String) throws {
    #expect(try encode(value) == text)
    #expect(failure(AnyJSON.self, text) == nil)
  }

  @Test(
    "NaN and infinities are an error that says so", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(value: Double) {
    #expect(throws: JSONError(.notFinite, at: 0)) { try JSON.encode(value) }
    #expect(throws: JSONError(.notFinite, at: 0)) { try JSON.encode(Float(value)) }
  }
}
