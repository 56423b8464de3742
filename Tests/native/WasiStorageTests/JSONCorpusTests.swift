import RandomSteps
import Foundation
import Testing
import WasiStorage

/// Thousands of generated documents, the same ones in every run.
@Suite("JSON corpus")
struct JSONCorpusTests {
  @Test("what is encoded decodes to the same value", arguments: 0..<20)
  func valuesRoundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      let document = JSONDocument.random(depth: 4, using: &random)
      let text = try JSON.encode(document)
      #expect(try JSON.decode(JSONDocument.self, from: text) == document)
    }
  }

  @Test("text that decodes encodes to text that stays the same", arguments: 0..<20)
  func textIsStable(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var decoded = 0
    for _ in 0..<1_000 {
      let text = try mutated(JSON.encode(JSONDocument.random(depth: 3, using: &random)), &random)
      guard let document = try? JSON.decode(JSONDocument.self, from: text) else { continue }
      decoded += 1
      let once = try JSON.encode(document)
      let twice = try JSON.encode(JSON.decode(JSONDocument.self, from: once))
      #expect(once == twice)
    }
    #expect(decoded > 100)
  }

  @Test("Foundation takes the same documents, and a few more", arguments: 0..<20)
  func foundation(seed: UInt64) throws {
    var random = SplitMix64(seed: 100 + seed)
    for _ in 0..<1_000 {
      let text = try mutated(
        JSON.encode(JSONDocument.random(depth: 3, using: &random)), &random)
      let error = failure(JSONDocument.self, text)
      let object = try? JSONSerialization.jsonObject(
        with: Data(text), options: .fragmentsAllowed)
      if let error, object != nil {
        #expect(isLeniency(error, text), "\(error)")
      } else {
        #expect((error == nil) == (object != nil), "\(String(decoding: text, as: UTF8.self))")
      }
    }
  }

  /// Foundation accepts numbers of any size, a trailing comma, and UTF-16 and UTF-32, which it
  /// detects by zeros among the first bytes. RFC 8259 allows none of this.
  private func isLeniency(_ error: JSONError, _ text: [UInt8]) -> Bool {
    switch error.reason {
    case .numberOutOfRange: true
    case .unexpectedByte(UInt8(ascii: "]")), .unexpectedByte(UInt8(ascii: "}")):
      text[..<error.offset].last { $0 > 0x20 } == UInt8(ascii: ",")
    default: text.prefix(4).contains(0)
    }
  }

  /// Changes some bytes of a text, mostly to ones with a meaning in JSON.
  private func mutated(_ text: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var text = text
    let bytes =
      Array("{}[],:\"\\ \n0123456789-+.eEtrufalsn".utf8) + [
        0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF0,
      ]
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      let place = Int.random(in: 0...text.count, using: &random)
      let byte = bytes.randomElement(using: &random)!
      switch Int.random(in: 0..<4, using: &random) {
      case 0: text.insert(byte, at: place)
      case 1: if place < text.count { text.remove(at: place) }
      case 2: if place < text.count { text[place] = byte }
      default:
        let end = Int.random(in: place...text.count, using: &random)
        text.insert(contentsOf: text[place..<end], at: place)
      }
    }
    return text
  }
}
