import SharingCore
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

extension Case {
  /// Each kind of corrupt text: its error names the place, and the text is kept.
  static let damageOfEveryKind: [Case] = [
    Case("R15", "whatever is wrong with a text, it is said where, and kept by later writes") {
      trial in
      for (number, damage) in Damage.all.enumerated() {
        let key = "list \(number)"
        trial.store.put(damage.bytes, for: key)
        @Shared(.localStorage(key)) var list: [String] = ["default"]
        trial.expect(list.count, equals: 1)
        trial.expect($list.loadError.map(reason) == .corrupt(offset: damage.offset), key)
        trial.expect($list.loadError.map(details), contains: "\"\(UTF8Text(key))\"")
        for text in ["a", "b"] { $list.withLock { $0.append(text) } }
        trial.expect(trial.store.bytes(of: "\(key).corrupt") == damage.bytes, "\(key) is not kept")
        trial.expect(trial.store[key], equals: #"["default","a","b"]"#)
        trial.expect($list.loadError == nil, "the error stays")
      }
    },
    Case("R15", "JSON of another type stays where it is, and whatever cannot be stored is said") {
      trial in
      for (number, text) in ["7", #"["a",7]"#, #"{"a":1}"#, "null"].enumerated() {
        let key = "list \(number)"
        trial.store[key] = text
        @Shared(.localStorage(key)) var list: [String] = ["default"]
        trial.expect($list.loadError.map(reason) == .unreadable(offset: number == 1 ? 5 : 0), key)
        for count in 2...3 {
          $list.withLock { $0.append("a") }
          trial.expect($list.saveError.map(details), contains: "Another version of this app")
          trial.expect($list.saveError.map(details), contains: "\"\(UTF8Text(key))\"")
          trial.expect(list.count, equals: count)
        }
        trial.expect(trial.store[key], equals: text)
        trial.expect(trial.store["\(key).corrupt"], equals: nil)
        trial.store[key] = #"["b"]"#
        trial.store.notify(key)
        trial.expect(list == ["b"], "the stored list is not shown")
        trial.expect($list.loadError.map(reason) == .replaced, "the lost changes are not said")
        trial.expect(trial.store.replaced(key), equals: #"["default","a","a"]"#)
      }
    },
    Case("R15", "where a type cannot have a text, its beginning and end tell whether it is JSON") {
      trial in
      let damaged = [
        "nonsense", "nul", "[object Object]", "{broken}", "{'a':1}", #"{"a":1"#, "[1,2", #""a"#,
        "truth", "undefined", "{", "]",
      ]
      for (number, text) in damaged.enumerated() {
        trial.store["damaged \(number)"] = text
        @Shared(.localStorage("damaged \(number)")) var count = 0
        $count.withLock { $0 += 1 }
        trial.expect(trial.store["damaged \(number)"], equals: "1")
        trial.expect(trial.store["damaged \(number).corrupt"], equals: text)
      }
      let others = ["null", " true ", "false", "[]", "[ -1]", "{ }", #"{ "a":1}"#, #""a""#, "1.5"]
      for (number, text) in others.enumerated() {
        trial.store["other \(number)"] = text
        @Shared(.localStorage("other \(number)")) var count = 0
        $count.withLock { $0 += 1 }
        trial.expect(trial.store["other \(number)"], equals: text)
        trial.expect(trial.store["other \(number).corrupt"], equals: nil)
      }
    },
    Case("R15", "JSON of another type stays where it is, also behind a byte order mark") { trial in
      trial.store["count"] = "\u{FEFF}[1]"
      trial.store["plain"] = "\u{FEFF}" + #"{"$version":2,"value":5}"#
      @Shared(.localStorage("count")) var count = 0
      @Shared(.localStorage("plain")) var plain = 0
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "\u{FEFF}[1]")
      trial.expect($plain.loadError.map(reason) == .newerVersion(2), "the version is not found")
    },
    Case("R15", "the person gets a message without details, and the developer advice") { trial in
      trial.store["count"] = "{damaged"
      @Shared(.localStorage("count")) var count = 0
      guard let error = $count.loadError.map({ StorageError.from($0, otherwise: .other) }) else {
        return trial.expect(false, "there is no error")
      }
      let message = "A stored value is damaged. It is kept, but not shown."
      trial.expect(error.message.description, equals: message)
      trial.expect(error.advice, contains: "A copy is kept under \"count.corrupt\". ")
      trial.expect(error.advice, contains: "byte")
      trial.expect(error.text.description, equals: "\"count\": \(message) \(error.advice)")
      let other = StorageError(.other, key: "results", "They could not be fetched.")
      trial.expect(other.message.description, equals: "They could not be fetched.")
      trial.expect(other.text.description, equals: "\"results\": They could not be fetched.")
    },
    Case("R15", "ten million brackets are damage like any other") { trial in
      // Exceeds a page's storage on every host.
      let environment = SharingEnvironment()
      let store = MemoryStore()
      environment.stores.local = store
      let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 10_000_000)
      store.set(brackets, for: KeyName("list"))
      environment.run {
        @Shared(.localStorage("list")) var list: [String] = []
        trial.expect($list.loadError.map(reason) != nil, "no error")
        $list.withLock { $0.append("a") }
      }
      trial.expect(store, "list", equals: #"["a"]"#)
      trial.expect(store.bytes(for: KeyName("list.corrupt")) == brackets, "not kept")
    },
    Case("R15", "a committed value that is damaged stays shown, and the next change stores it") {
      trial in
      for isRecovered in [false, true] {
        let programs = Programs(2)
        let count = programs[0].count()
        programs.deliverAll()
        programs[0].run { count.update { $0 += 1 } }
        programs.deliverAll()
        let damage = UTF8Text(stringLiteral: "?")
        programs.database.set("count", to: damage.bytes)
        programs.database.notify(programs[0].connection, ["count"])
        programs.deliverAll()
        trial.expect(count.wrappedValue, equals: 1)
        trial.expect(count.loadError.map(reason) == .corrupt(offset: 0), "it is not said")
        programs[0].run { count.update { $0 += 10 } }
        if isRecovered { programs.crash(0) } else { programs.deliverAll() }
        let other = programs[1].count()
        programs.deliverAll()
        programs[1].run { programs[1].clock.advance(by: 1000) }  // the other program's second
        programs.deliverAll()
        trial.expect(other.wrappedValue, equals: 11)
        trial.expect(other.loadError == nil, "it is still said")
        trial.expect(programs.text("count") == "11", "another text is stored")
        trial.expect(programs.text("count.corrupt") == damage, "the damage is not kept")
        trial.expect(programs.text("count.replaced") == nil, "something is replaced")
      }
    },
  ]
}

/// A text that is not JSON.
private struct Damage {
  let bytes: [UInt8]
  /// The offset that an error must name.
  let offset: Int

  init(_ text: StaticString, at offset: Int) {
    bytes = Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    self.offset = offset
  }

  static let all = [
    Damage("", at: 0),  // empty
    Damage(" ", at: 1),
    Damage("[\"a\"", at: 4),  // truncated
    Damage("[\"a", at: 3),
    Damage("[\"a\",", at: 5),
    Damage("\u{FEFF}\u{FEFF}[]", at: 3),  // a second byte order mark
    Damage("[\"\\ud800\"]", at: 2),  // half a surrogate pair
    Damage("[\"\\ud800\\u0041\"]", at: 2),
    Damage("[\"a\"] x", at: 6),  // followed by other text
    Damage("[\"a\"][]", at: 5),
    Damage("['a']", at: 1),  // not RFC 8259
    Damage("[\"a\",]", at: 5),
    Damage("[\"\\x41\"]", at: 2),
    Damage("[\"\u{1}\"]", at: 2),
  ]
}
