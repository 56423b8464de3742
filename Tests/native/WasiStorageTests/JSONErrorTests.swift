import Testing
import WasiStorage

@Suite("JSON errors")
struct JSONErrorTests {
  @Test("a wrong type is reported with field, index and byte")
  func path() {
    let error = failure(TodoList.self, #"{"todos":[{"id":1},{"id":2,"title":3}]}"#)
    #expect(error?.path == "todos[1].title")
    #expect(error?.offset == 35)
    #expect(error?.reason == .wrongType(expected: .string, found: .number))
    let sentence =
      "Expected a string but found a number at byte 35 of todos[1].title: "
      + "store a string there, or change the field's type. "
      + #"The text there: …{"id":2,"title":3}]}"#
    #expect(error?.description == sentence)
  }

  @Test("an error shows 20 bytes of the text, with a dot for each byte that is not ASCII")
  func excerpt() {
    #expect(excerpt(of: "[1,2,3,4,5,6,7,8,9,x]") == "…1,2,3,4,5,6,7,8,9,x]")
    #expect(excerpt(of: "[2,3,4,5,6,7,8,9,x]") == "[2,3,4,5,6,7,8,9,x]")
    #expect(excerpt(of: "[\"é\u{202E}€\u{1F600}\"]") == "[\"············\"]")
  }

  private func excerpt(of text: String) -> String? {
    failure([Int].self, text)?.description.split(separator: "The text there: ").last.map(
      String.init)
  }

  @Test("a dictionary's key is quoted in the path")
  func keyPath() {
    let error = failure(TodoList.self, #"{"counts":{"a b":1,"c.d":null}}"#)
    #expect(error?.path == #"counts["c.d"]"#)
    #expect(error?.offset == 25)
  }

  @Test("arrays in arrays have an index each")
  func indexPath() {
    #expect(failure([[Int]].self, "[[1],[2,3,true]]")?.path == "[1][2]")
    #expect(failure([String: [Todo]].self, #"{"x":[{"id":""}]}"#)?.path == #"["x"][0].id"#)
  }

  @Test("the outermost value has an empty path")
  func rootPath() {
    #expect(
      failure(Int.self, "true") == JSONError(.wrongType(expected: .number, found: .bool), at: 0))
  }

  @Test("a long key is cut in the path")
  func longKey() {
    let key = String(repeating: "k", count: 100_000)
    #expect(failure([String: Int].self, "{\"\(key)\":null}")?.path.utf8.count == 68)
  }

  static let placed: [(String, JSONError)] = [
    ("", JSONError(.unexpectedEnd, at: 0)),
    ("  ", JSONError(.unexpectedEnd, at: 2)),
    ("[1,", JSONError(.unexpectedEnd, at: 3)),
    ("[1,]", JSONError(.unexpectedByte(0x5D), at: 3)),
    ("[1 2]", JSONError(.unexpectedByte(0x32), at: 3)),
    ("{\"a\":1,}", JSONError(.unexpectedByte(0x7D), at: 7)),
    ("{\"a\" 1}", JSONError(.unexpectedByte(0x31), at: 5)),
    ("1 2", JSONError(.trailingBytes, at: 2)),
    ("01", JSONError(.trailingBytes, at: 1)),
    ("[01]", JSONError(.unexpectedByte(0x31), at: 2)),
    ("1.", JSONError(.unexpectedEnd, at: 2)),
    ("1.x", JSONError(.unexpectedByte(0x78), at: 2)),
    ("+1", JSONError(.unexpectedByte(0x2B), at: 0)),
    ("nul", JSONError(.unexpectedEnd, at: 3)),
    ("nulx", JSONError(.unexpectedByte(0x78), at: 3)),
    ("tru", JSONError(.unexpectedEnd, at: 3)),
    ("trux", JSONError(.unexpectedByte(0x78), at: 3)),
    ("fals", JSONError(.unexpectedEnd, at: 4)),
    ("fxlse", JSONError(.unexpectedByte(0x78), at: 1)),
    ("falsx", JSONError(.unexpectedByte(0x78), at: 4)),
    ("\"a", JSONError(.unexpectedEnd, at: 2)),
    ("\"a\\", JSONError(.unexpectedEnd, at: 3)),
    ("\"a\\x\"", JSONError(.invalidEscape, at: 2)),
    ("\"a\\u12g4\"", JSONError(.invalidEscape, at: 2)),
    ("\"a\\ud800\"", JSONError(.loneSurrogate, at: 2)),
    ("\"a\\udc00\"", JSONError(.loneSurrogate, at: 2)),
    ("\"a\nb\"", JSONError(.controlCharacter, at: 2)),
    ("\u{FEFF}", JSONError(.unexpectedEnd, at: 3)),
    ("\u{FEFF}\u{FEFF}1", JSONError(.unexpectedByte(0xEF), at: 3)),
  ]

  @Test("an error is at the first byte that is wrong", arguments: placed)
  func place(text: String, error: JSONError) {
    #expect(failure(AnyJSON.self, text) == error)
  }

  @Test(
    "each kind that is not the wanted one is named",
    arguments: [
      ("null", JSONKind.null), ("true", .bool), ("1", .number), ("\"\"", .string), ("{}", .object),
    ])
  func wrongType(text: String, found: JSONKind) {
    #expect(failure([Int].self, text)?.reason == .wrongType(expected: .array, found: found))
  }

  @Test("encoding errors have a path, too")
  func encoding() {
    #expect(throws: JSONError.self) { try JSON.encode(Double.nan) }
    do {
      _ = try JSON.encode(["a": [0.5, -.infinity]])
    } catch {
      #expect(error.reason == .notFinite)
      #expect(error.path == #"["a"][1]"#)
      #expect(error.offset == 10)
    }
  }

  @Test("every description is one sentence with the byte")
  func descriptions() {
    let reasons: [JSONError.Reason] = [
      .unexpectedByte(0x2C), .unexpectedByte(0), .unexpectedEnd, .trailingBytes,
      .tooDeep,
      .wrongType(expected: .array, found: .object), .numberOutOfRange, .notAnInteger, .notFinite,
      .invalidUTF8, .invalidEscape, .loneSurrogate, .controlCharacter, .invalidValue,
    ]
    for reason in reasons {
      let description = JSONError(reason, at: 7).description
      #expect(description.contains(" at byte 7: "))
      #expect(description.hasSuffix("."))
    }
    #expect(JSONError(.unexpectedByte(0x2C), at: 1).description.hasPrefix("Found ',' where"))
  }
}
