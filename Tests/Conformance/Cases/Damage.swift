import SharingCore
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
        trial.expect($list.loadError.map(message), contains: "\"\(UTF8Text(key))\"")
        for text in ["a", "b"] { $list.withLock { $0.append(text) } }
        trial.expect(trial.store.bytes(of: "\(key).corrupt") == damage.bytes, "\(key) is not kept")
        trial.expect(trial.store[key], equals: #"["default","a","b"]"#)
        trial.expect($list.loadError == nil, "the error stays")
      }
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
  ]
}

/// A text that is not a JSON array of strings.
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
    Damage("7", at: 0),  // of another type
    Damage("[\"a\",7]", at: 5),
    Damage("{\"a\":1}", at: 0),
    Damage("\u{FEFF}[]", at: 0),  // a byte-order mark
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
