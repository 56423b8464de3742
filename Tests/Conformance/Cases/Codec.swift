import SharingCore
import WasiStorage

extension Case {
  /// The codec, including hosts with a 32-bit `Int` and a small stack.
  static let codec: [Case] = [
    Case("R11", "doubles of every size come back bit for bit") { trial in
      var random: UInt64 = 1
      for exponent in 0..<UInt64(2047) {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        for fraction in [0, 1, 0xF_FFFF_FFFF_FFFF, random >> 12] {
          let value = Double(bitPattern: fraction | exponent << 52)
          trial.expect(
            comesBack(value)?.bitPattern == value.bitPattern, "\(exponent) \(fraction)")
        }
      }
    },
    Case("R11", "integers keep all their 64 bits") { trial in
      for value in [Int64.min, -1 << 53 - 1, -1, 0, 999_999_999, 1_000_000_000, 1 << 53 + 1, .max] {
        trial.expect(comesBack(value) == value, "\(value)")
      }
      for value in [1 << 63, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, UInt64.max] {
        trial.expect(comesBack(value) == value, "\(value)")
      }
    },
    Case("R11", "an integer that its type cannot hold is an error") { trial in
      func expect<Number: JSONValue & FixedWidthInteger>(
        _: Number.Type, _ text: String, _ fits: Bool
      ) {
        let number = try? JSON.decode(Number.self, from: Array(text.utf8))
        trial.expect(number == (fits ? Number(text) : nil), "\(text)")
      }
      for (text, fits) in [("-129", false), ("-128", true), ("127", true), ("128", false)] {
        expect(Int8.self, text, fits)
      }
      for (text, fits) in [("-1", false), ("-0", true), ("65535", true), ("65536", false)] {
        expect(UInt16.self, text, fits)
      }
      for (text, fits) in [
        ("-2147483649", false), ("-2147483648", true), ("2147483647", true), ("2147483648", false),
      ] {
        expect(Int32.self, text, fits)
        expect(Int.self, text, fits || Int.bitWidth == 64)
      }
      for (text, fits) in [
        ("-9223372036854775809", false), ("-9223372036854775808", true),
        ("9223372036854775807", true), ("9223372036854775808", false),
      ] {
        expect(Int64.self, text, fits)
      }
      for (text, fits) in [
        ("-1", false), ("18446744073709551615", true), ("18446744073709551616", false),
      ] {
        expect(UInt64.self, text, fits)
      }
    },
    Case("R11", "a whole number is an integer in every form, a fraction is none") { trial in
      for (text, number) in [
        ("7.0", 7), ("1e2", 100), ("1E+2", 100), ("-1.25e2", -125), ("100e-2", 1), ("-0.0", 0),
        ("0e99", 0), ("0.0005e4", 5), ("127.000000000000000000000000", 127),
      ] {
        let read = try? JSON.decode(Int.self, from: Array(text.utf8))
        trial.expect(read == number, "\(text)")
      }
      trial.expect(
        mistake(UInt64.self, "1844674407370955161.5e1") == nil, "the greatest with an exponent")
      for text in ["7.5", "1e-2", "75e-1", "0.000000000000000000000001", "12345678901234567890.5"] {
        trial.expect(mistake(UInt64.self, text) == .notAnInteger, "\(text)")
      }
      for text in ["1e3", "128.0", "1e99999999999999999999", "12.8e1"] {
        trial.expect(mistake(Int8.self, text) == .numberOutOfRange, "\(text)")
      }
      for text in ["1e20", "18446744073709551616.0", "1844674407370955161.6e1", "-1.0"] {
        trial.expect(mistake(UInt64.self, text) == .numberOutOfRange, "\(text)")
      }
      for text in ["1.", "1e", "1e+", ".5", "1.e2", "01.0", "-"] {
        trial.expect(mistake(Int.self, text) != nil, "\(text)")
      }
    },
    Case("R11", "a byte order mark in front of a text is skipped, and stored no more") { trial in
      let mark = "\u{FEFF}"
      trial.store["count"] = mark + "7"
      trial.store["list"] = mark + " [1, 2]"
      trial.store["user"] = mark + #" {"age":3,"nick":"Bo"}"#
      trial.store["new"] = mark + #"{"$version":2,"value":5}"#
      @Shared(.localStorage("count")) var count = 0
      @Shared(.localStorage("list")) var list: [Int] = []
      @Shared(.localStorage("user")) var user = User()
      @Shared(.localStorage("new", version: 2)) var new = 0
      trial.expect(count, equals: 7)
      trial.expect(list, equals: [1, 2])
      trial.expect(user.age, equals: 3)
      trial.expect(new, equals: 5)
      $count.withLock { $0 += 1 }
      $list.append(3)
      $user.withLock { $0 = User(name: "Ada", age: 3) }
      $new.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "8")
      trial.expect(trial.store["list"], equals: "[1,2,3]")
      trial.expect(trial.store["user"].map { UTF8Text($0) }, contains: #""nick":"Bo""#)
      trial.expect(trial.store.bytes(of: "user")?.first == UInt8(ascii: "{"), "a mark is stored")
      trial.expect(trial.store["new"], equals: #"{"$version":2,"value":6}"#)
      trial.store["list"] = mark + "[1,4,3]"
      trial.store.notify("list")
      trial.expect(list, equals: [1, 4, 3])
      let inside = try? JSON.decode(String.self, from: Array((#""\#(mark)a\n""#).utf8))
      trial.expect(inside ?? "", equals: "\u{FEFF}a\n")
      trial.expect(mistake(Int.self, mark + mark + "1") != nil, "two marks")
    },
    Case("R11", "texts of every length come back") { trial in
      for count in 0..<70 {
        for end in ["", "\"", "\u{E9}", "\u{1F600}"] {
          let text = String(repeating: "a", count: count) + end
          trial.expect(comesBack(text) == text, "\(count) letters and \(end)")
          let bytes = UTF8Text(Array(text.utf8))
          trial.expect(comesBack(bytes) == bytes, "\(count) and \(end) in UTF-8")
        }
      }
    },
    Case("R15", "bytes that are not UTF-8 are stored as U+FFFD, and the text is read again") {
      trial in
      for (bytes, stored) in [
        ([0x61, 0xFF], "a\u{FFFD}"), ([0xC3], "\u{FFFD}"), ([0xC3, 0xA4, 0x80], "ä\u{FFFD}"),
        ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ] as [([UInt8], String)] {
        trial.expect(comesBack(UTF8Text(bytes)) == UTF8Text(stored), "\(bytes)")
      }
    },
    Case("R11", "an array that was read takes twice the room it needs at most, a long one less") {
      trial in
      for count in [1, 2, 9, 100, 10_000] {
        let numbers = comesBack([Int](repeating: 1234, count: count)) ?? []
        trial.expect(numbers.count, equals: count)
        // An allocator may round up by three.
        let most = count > 100 ? count * 5 / 4 : count * 2 + 3
        trial.expect(numbers.capacity <= most, "\(numbers.capacity) for \(count)")
      }
    },
    Case("R11", "an array of long elements and short ones comes back whole") { trial in
      let long = String(repeating: "a", count: 10_000)
      for texts in [
        [long] + [String](repeating: "", count: 5000),
        [String](repeating: "", count: 5000) + [long, long],
      ] {
        trial.expect(comesBack(texts) == texts, "\(texts.count) texts are others")
      }
    },
    Case("R12", "changed elements give the text of the whole") { trial in
      var users = (0..<100).map { User(name: "user \($0)") }
      var text = _EncodedJSON()
      for round in 0..<100 {
        let place = round * 37 % 100
        users[place].name += round % 3 == 0 ? "" : "\"\u{1F600}"
        _ = try? text.update(to: users, .changed([place]))
        trial.expect(text.bytes == (try? JSON.encode(users)), "round \(round)")
      }
    },
    Case("R15", "nesting is an error beyond 512 levels, and no stack overflow") { trial in
      for depth in [512, 513, 1_000_000] {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: depth)
        do throws(JSONError) {
          _ = try JSON.decode(Nested.self, from: bytes)
        } catch {
          let reason: JSONError.Reason = depth > 512 ? .tooDeep : .unexpectedEnd
          trial.expect(error.reason == reason, "depth \(depth): \(error.reason == .tooDeep)")
          trial.expect(error.offset, equals: 512)
        }
      }
    },
    Case("R15", "a large type that nests as deep as it can is read and written, or an error") {
      trial in
      trial.expect(reason(ofNesting: 40), equals: "none")
      for depth in [100, 200, 255, 300, 100_000] {
        let reason = reason(ofNesting: depth)
        trial.expect(reason == "none" || reason == "too deep", "\(depth): \(reason)")
      }
      var wide = Wide()
      for _ in 1...255 { wide = Wide(next: [wide]) }
      do throws(JSONError) {
        let bytes = try JSON.encode(wide)
        trial.expect(bytes.count > 255 * 50, "\(bytes.count) bytes")
      } catch {
        trial.expect(error.reason == .tooDeep, "writing fails otherwise")
      }
    },
    Case("R15", "the path of an error in a recursive type lacks its middle if it is long") {
      trial in
      for (depth, isCut) in [(10, false), (40, true)] {
        let text = String(repeating: #"{"next":["#, count: depth) + #"{"first":7"#
        do throws(JSONError) {
          _ = try JSON.decode(Wide.self, from: Array(text.utf8))
          trial.expect(false, "the number is read")
        } catch {
          let path = UTF8Text(error.path)
          trial.expect(path, contains: "next[0].next[0].")
          trial.expect(path.bytes.starts(with: UTF8Text("next[0].").bytes), "its beginning is lost")
          trial.expect(path.bytes.reversed().starts(with: "tsrif.]0[".utf8), "its end is lost")
          trial.expect(path.bytes.count <= 163, "it has \(path.bytes.count) bytes")
          trial.expect(path.bytes.contains(0xE2) == isCut, "\(depth): \(error.path)")
        }
      }
    },
  ]

  /// Returns the reason why reading fails for a large type that is nested in itself to a depth.
  private static func reason(ofNesting depth: Int) -> String {
    let open = String(repeating: #"{"next":["#, count: depth)
    let text = open + "{}" + String(repeating: "]}", count: depth)
    do throws(JSONError) {
      _ = try JSON.decode(Wide.self, from: Array(text.utf8))
      return "none"
    } catch {
      return error.reason == .tooDeep ? "too deep" : "another one"
    }
  }

  private static func mistake<Value: JSONValue>(
    _ type: Value.Type, _ text: String
  ) -> JSONError.Reason? {
    do throws(JSONError) {
      _ = try JSON.decode(type, from: Array(text.utf8))
      return nil
    } catch {
      return error.reason
    }
  }

  private static func comesBack<Value: JSONValue>(_ value: Value) -> Value? {
    guard let bytes = try? JSON.encode(value) else { return nil }
    return try? JSON.decode(Value.self, from: bytes)
  }
}

/// Arrays in arrays.
private struct Nested: JSONValue {
  var items: [Nested] = []
  static func decode(from reader: inout JSONReader) throws(JSONError) -> Nested {
    Nested(items: try [Nested].decode(from: &reader))
  }
  func encode(into writer: inout JSONWriter) throws(JSONError) { try items.encode(into: &writer) }
}

/// A type that contains itself and fifty texts.
private struct Wide: JSONCodable {
  var first = Texts(), second = Texts(), third = Texts(), fourth = Texts(), fifth = Texts()
  var next: [Wide] = []

  struct Texts: JSONCodable {
    var a = "", b = "", c = "", d = "", e = "", f = "", g = "", h = "", i = "", j = ""

    mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
      try json.field("a", &a)
      try json.field("j", &j)
    }
  }

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("first", &first)
    try json.field("fifth", &fifth)
    try json.field("next", &next)
  }
}
