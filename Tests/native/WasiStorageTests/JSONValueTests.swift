import RandomSteps
import Foundation
import Testing
import WasiStorage

@Suite("JSON values")
struct JSONValueTests {
  enum Filter: String, JSONValue, CaseIterable { case all, active, completed }
  enum Level: Int, JSONValue {
    case low = 1
    case high = 9
  }

  @Test("an enum is its raw value")
  func enums() throws {
    #expect(try encode(Filter.allCases) == #"["all","active","completed"]"#)
    #expect(try decode([Filter].self, #"["completed","all"]"#) == [.completed, .all])
    #expect(try decode(Level.self, "9") == .high)
  }

  @Test("a raw value without a case is an error at its first byte")
  func unknownCase() {
    let error = failure([Filter].self, #"["all", "none"]"#)
    #expect(error?.reason == .invalidValue)
    #expect(error?.offset == 8)
    #expect(error?.path == "[1]")
    #expect(failure(Level.self, "2")?.reason == .invalidValue)
    #expect(failure(Level.self, "\"low\"")?.reason == .wrongType(expected: .number, found: .string))
  }

  @Test("nil is null")
  func optionals() throws {
    #expect(try encode([1, nil]) == "[1,null]")
    #expect(try decode([Int?].self, "[ null , 1 ]") == [nil, 1])
    #expect(try decode(Todo?.self, "null") == nil)
    #expect(failure(Int?.self, "nul")?.reason == .unexpectedEnd)
    #expect(failure(Int.self, "null") != nil)
  }

  @Test("white space may stand between any two tokens")
  func whiteSpace() throws {
    let text =
      " { \"todos\" : [ { \"id\" : 1 , \"title\" : \"x\" } ] ,\n\t\"counts\" : { \"a\" : 1 } }\r\n"
    #expect(try decode(TodoList.self, text).todos == [Todo(id: 1, title: "x")])
  }

  @Test("a string is escaped as little as RFC 8259 allows")
  func escapes() throws {
    let text = "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}\u{2028}é😀"
    #expect(try encode(text) == #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}\u{2028}é😀\"")
  }

  @Test(
    "every escape is understood",
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
      (#""\uD834\udd1e""#, "\u{1D11E}"), (#""a\u0000b""#, "a\u{0}b"), (#""\u005c\u0022""#, "\\\""),
      (#""é\néé\u00e9x""#, "é\nééé" + "x"),
    ])
  func unescapes(text: String, value: String) throws {
    #expect(Array(try decode(String.self, text).utf8) == Array(value.utf8))
  }

  @Test(
    "an escape stands for its scalar, up to the borders of UTF-8's lengths",
    arguments: [
      0x00, 0x1F, 0x7F, 0x80, 0xFF, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF,
    ] as [UInt32])
  func escapedScalar(code: UInt32) throws {
    let text = String(try #require(UnicodeScalar(code)))
    let units = text.utf16.map { "\\u" + String(0x1_0000 + UInt32($0), radix: 16).dropFirst() }
    let decoded = try decode(String.self, "\"\(units.joined())\"")
    #expect(Array(decoded.utf8) == Array(text.utf8))
  }

  @Test("a special byte is seen at every place of a word", arguments: 0..<20)
  func everyPlace(before: Int) throws {
    for special in [
      "\"", "\\", "\n", "\u{0}", "\u{1F}", " ", "!", "#", "[", "]", "\u{7F}", "é", "\u{80}", "😀",
    ] {
      for after in 0..<9 {
        let text =
          String(repeating: "a", count: before) + special + String(repeating: "b", count: after)
        #expect(Array(try decode(String.self, try encode(text)).utf8) == Array(text.utf8))
      }
    }
  }

  @Test("random strings round-trip, and Foundation reads the same")
  func randomStrings() throws {
    var random = SplitMix64(seed: 6)
    for _ in 0..<3_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        let limit: UInt32 = [0x30, 0x80, 0x800, 0x10000, 0x110000].randomElement(using: &random)!
        let code = UInt32.random(in: 0..<limit, using: &random)
        // Foundation loses U+FEFF behind an escape.
        guard code != 0xFEFF, let scalar = UnicodeScalar(code) else { continue }
        text.unicodeScalars.append(scalar)
      }
      let bytes = try JSON.encode(text)
      #expect(Array(try JSON.decode(String.self, from: bytes).utf8) == Array(text.utf8))
      let other = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      #expect(Array((other as? String ?? "").utf8) == Array(text.utf8))
    }
  }

  @Test("Foundation reads and writes the same list")
  func foundation() throws {
    let list = TodoList(
      todos: [Todo(id: 1, title: "é\"\\\n😀", completed: true), Todo()], counts: ["x y": -3])
    let object = try JSONSerialization.jsonObject(with: Data(try JSON.encode(list)))
    let data = try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted)
    #expect(try JSON.decode(TodoList.self, from: Array(data)) == list)
  }

  @Test("memory of someone else is read without a copy")
  func unowned() throws {
    let value = try Array("[1,2]".utf8).withUnsafeBytes { try JSON.decode([Int].self, from: $0) }
    #expect(value == [1, 2])
    #expect(throws: JSONError(.unexpectedEnd, at: 0)) {
      try JSON.decode(Int.self, from: UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}
