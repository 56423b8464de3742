import RandomSteps
import Testing
import WasiStorage

/// Damaged input gives a value or an error, never a trap.
@Suite("JSON robustness")
struct JSONRobustnessTests {
  struct Everything: JSONCodable {
    var list = TodoList()
    var ratio = 0.0
    var small: Float = 0
    var count: UInt64 = 0
    var note: String?
    var names: [String] = []
    mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
      try json.field("list", &list)
      try json.field("ratio", &ratio)
      try json.field("small", &small)
      try json.field("count", &count)
      try json.field("note", &note)
      try json.field("names", &names)
    }
  }

  static let sample = Array(
    #"""
    {"list":{"todos":[{"id":-12,"title":"a\n\ud83d\ude00é","completed":true}, {"x":[null,{}]}],
    "counts":{"k\u0041":3}},"ratio":-1.25e-3,"small":9007199254740993e-10,"count":18446744073709551615,
    "note":null,"names":["\\","😀"],"unknown":[1,2.5,{"a":[false]}]}
    """#.utf8)

  private func survives(_ bytes: [UInt8]) {
    let typed = failure(Everything.self, bytes)
    let syntax = failure(AnyJSON.self, bytes)
    #expect((typed?.offset ?? 0) <= bytes.count)
    // Invalid JSON has no value either.
    #expect(syntax == nil || typed != nil)
  }

  @Test("the sample itself is fine")
  func sampleDecodes() {
    #expect(failure(Everything.self, Self.sample) == nil)
  }

  @Test("a text cut off anywhere is an error")
  func truncations() {
    for count in Self.sample.indices {
      let bytes = Array(Self.sample[..<count])
      #expect(failure(Everything.self, bytes) != nil)
      survives(bytes)
    }
  }

  @Test("any byte may change into any other")
  func mutations() {
    for index in Self.sample.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = Self.sample
        bytes[index] = byte
        survives(bytes)
      }
    }
  }

  @Test("any byte may be missing or come twice")
  func insertionsAndDeletions() {
    for index in Self.sample.indices {
      var bytes = Self.sample
      bytes.remove(at: index)
      survives(bytes)
      bytes.insert(contentsOf: [Self.sample[index], Self.sample[index]], at: index)
      survives(bytes)
    }
  }

  @Test("random tokens are an answer or an error")
  func randomTokens() {
    let tokens = [
      "{", "}", "[", "]", ",", ":", "\"", "\"list\"", "\"todos\"", "\"id\"", "\\", "\\u", "d800",
      "1", "-", ".", "e",
      "0", "99999999999999999999", "null", "true", "fals", " ", "\n", "é", "\u{0}",
    ].map { Array($0.utf8) }
    var random = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<20, using: &random)
      survives((0..<count).flatMap { _ in tokens.randomElement(using: &random)! })
    }
  }

  @Test("random bytes are an answer or an error")
  func randomBytes() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<24, using: &random)
      survives((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
  }
}
