import Foundation
import Testing
import WasiStorage

@Suite("JSON grammar")
struct JSONGrammarTests {
  static let accepted = [
    "null", "true", "false", "0", "-0", "1", "-1", "10", "0.5", "-0.5", "1e5", "1E5", "1e+5",
    "1e-05", "0e0",
    "1.5e300", "123456789012345678901234567890", "0.000000000000000000000000000000001", "1e400",
    "\"\"", "\"a\"", "\"\\\"\"", "\"\\\\\"", "\"\\/\"", "\"\\b\\f\\n\\r\\t\"", "\"\\u0000\"",
    "\"\\u00e9\"",
    "\"\\uD83D\\uDE00\"", "\"\\ud83d\\ude00\"", "\"\u{7F}\"", "\"é\"", "\"\u{2028}\u{2029}\"",
    "\"😀\"",
    "\"\u{10FFFF}\"", "\"\u{FFFE}\"", "\"\u{FEFF}\"", "\"\\uFFFF\"", "[]", "[ ]", "[1]", "[1,2]",
    "[ 1 , 2 ]",
    "[[]]", "[[],[[]]]", "[null]", "{}", "{ }", "{\"a\":1}", "{ \"a\" : 1 }", "{\"a\":1,\"a\":2}",
    "{\"\":0}",
    "{\"a\":{\"b\":[{}]}}", " 1", "1 ", "\t\r\n 1\t\r\n ", "{\"a\\u0062\":1}",
    "[\"a\",\t1 ,\n{\r}]",
  ]

  static let rejected = [
    "", " ", "\n", "nul", "nulll", "Null", "NULL", "tru", "truE", "True", "fals", "falsee",
    "undefined", "NaN",
    "Infinity", "-Infinity", "nan", "+1", "-", "--1", "- 1", "01", "-01", "00", "1.", "-1.", ".5",
    "-.5", "1.e1",
    "1e", "1e+", "1e-", "1E", "1.5e", "1e1.5", "0x10", "1_000", "1,000", "1a", "0b1", "1e5e5",
    "1.2.3", "１", "½",
    "'a'", "\"", "\"a", "\"\\", "\"\\\"", "\"\\x41\"", "\"\\a\"", "\"\\U0041\"", "\"\\0\"",
    "\"\\u\"", "\"\\u12\"",
    "\"\\u123\"", "\"\\u123g\"", "\"\\u 123\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\ud800\"",
    "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\ud800\\u0041\"", "\"\\udc00\\ud800\"", "\"\\ud83d",
    "\"\\ud83d\\u",
    "\"\n\"", "\"\t\"", "\"\r\"", "\"\u{0}\"", "\"\u{1F}\"", "a", "\"a\"b", "\"a\" \"b\"",
    "[", "]", "[1", "[1,", "[1,]", "[,]", "[,1]", "[1,,2]", "[1 2]", "[1;2]", "[1}", "[\"a\"",
    "[1]]", "[[1]",
    "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{,\"a\":1}",
    "{\"a\":1,,\"b\":2}",
    "{\"a\" 1}", "{\"a\"::1}", "{a:1}", "{1:1}", "{'a':1}", "{null:1}", "{\"a\":1]", "{\"a\":1}}",
    "{\"a\",1}",
    "{\"a\":1 \"b\":2}", "{\"a\":}", "{\"a\"}", "{\"a\\x\":1}", "{[]:1}", "1 2", "1,2", "{}{}",
    "[][]", "null null",
    "// c\n1", "1 // c", "/* c */1", "[1/**/]", "# c\n1", "\u{C}1", "1\u{C}", "\u{B}1", "\u{A0}1",
    "\u{2028}1",
    "\u{0}", "1\u{0}", "\u{FEFF}", "1\u{FEFF}", "[1\u{A0}]",
  ]

  @Test("takes what RFC 8259 allows", arguments: accepted)
  func accepts(text: String) {
    #expect(failure(AnyJSON.self, text) == nil)
  }

  @Test("refuses everything else", arguments: rejected)
  func rejects(text: String) {
    #expect(failure(AnyJSON.self, text) != nil)
  }

  @Test("agrees with Foundation about valid text", arguments: accepted)
  func agreesOnAccepted(text: String) throws {
    // Foundation's numbers are doubles.
    guard text != "1e400" else { return }
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }
  }

  static let badUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
    [0xE0, 0x9F, 0xBF],
    [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF0, 0x80, 0x80, 0x80],
    [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x28, 0x80],
    [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
  ]

  @Test("refuses bytes that are not UTF-8, and says where", arguments: badUTF8)
  func rejectsBadUTF8(bytes: [UInt8]) {
    let text = Array("\"ab".utf8) + bytes + Array("\"".utf8)
    #expect(failure(String.self, text) == JSONError(.invalidUTF8, at: 3))
    #expect(failure(AnyJSON.self, text) == JSONError(.invalidUTF8, at: 3))
  }

  @Test("refuses UTF-8 that the end cuts off")
  func rejectsCutUTF8() {
    #expect(failure(String.self, [0x22, 0xF0, 0x9F]) == JSONError(.invalidUTF8, at: 1))
  }

  @Test("takes every scalar at the borders of UTF-8's lengths")
  func acceptsBorders() throws {
    let text = "\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}"
    #expect(Array(try decode(String.self, "\"\(text)\"").utf8) == Array(text.utf8))
  }

  @Test("nests up to the limit, and no deeper")
  func depth() {
    let limit = JSONReader.maximumDepth
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(failure(AnyJSON.self, nested(limit)) == nil)
    #expect(failure(AnyJSON.self, nested(limit + 1)) == JSONError(.tooDeep, at: limit))
    #expect(failure([AnyJSON].self, nested(limit + 1))?.reason == .tooDeep)
  }

  @Test("depth is how many are open at once, not how many there are")
  func width() {
    let siblings = [String](repeating: "[{}]", count: 2_000).joined(separator: ",")
    #expect(failure(AnyJSON.self, "[\(siblings)]") == nil)
  }

  @Test(
    "ten million opening brackets are an error", arguments: ["[", "{\"a\":", "[{\"children\":"])
  func manyBrackets(opening: String) {
    let unit = Array(opening.utf8)
    let bytes = [UInt8](repeatElement(unit, count: 10_000_000 / unit.count).joined())
    #expect(failure(AnyJSON.self, bytes)?.reason == .tooDeep)
  }

  @Test("a type that contains itself is held to the same depth")
  func recursiveType() {
    let levels = JSONReader.maximumDepth / 2
    let open = "{\"children\":["
    let good = String(repeating: open, count: levels) + String(repeating: "]}", count: levels)
    #expect(failure(Tree.self, good) == nil)
    let endless = failure(Tree.self, String(repeating: open, count: 100_000))
    #expect(endless?.reason == .tooDeep)
    #expect(endless?.offset == levels * open.utf8.count)
  }

  @Test("what nests too deep to be read is not written either")
  func deepEncoding() throws {
    var tree = Tree()
    for _ in 1..<JSONReader.maximumDepth / 2 { tree = Tree(children: [tree]) }
    let bytes = try JSON.encode(tree)
    #expect(try JSON.decode(Tree.self, from: bytes) == tree)
    #expect(throws: JSONError.self) { try JSON.encode([tree]) }
  }
}
