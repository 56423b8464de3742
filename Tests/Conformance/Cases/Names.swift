import SharingCore
import WasiStorage

extension Case {
  /// Key strings that are difficult for stores.
  private static let nasty = [
    "", " ", "__proto__", "constructor", "length", "key", "getItem", "hasOwnProperty", "/../", "..",
    ".", "a/b", "a\\b", "a:b", "%2F", "CON", "key\u{0}null", "line\nbreak", "\u{1F600}",
    "e\u{301}", "\u{E9}", "\u{FEFF}bom", "\u{202E}rtl", "\u{D7FF}", "\u{E000}", "\u{FFFF}",
    "\u{10FFFF}",
    "count.corrupt", "count.corrupt.2", "count.json", "count.key",
    "count.json.0123abcd.sharing-tmp",
    "Count", "COUNT", "$version", "file:count", "~", "*?\"<>|", String(repeating: "a", count: 249),
    String(repeating: "a", count: 250),
  ]
  /// Key strings whose file names would have more than 255 bytes.
  private static let long = [
    String(repeating: "a", count: 251), String(repeating: "long", count: 500),
    String(repeating: "long", count: 500) + "er", String(repeating: "\u{1F600}", count: 100),
    String(repeating: "\u{E9}", count: 10_000),
  ]

  static let names: [Case] = [
    Case("R17", "a store in which nothing has been stored lists no key") { trial in
      trial.expect(keys(of: trial.hostStore) == [], "there is a key")
    },
    Case("R17", "a store lists every key that it holds, in the order of their bytes") { trial in
      for key in nasty { trial.store[key] = "1" }
      trial.store["count"] = "1"
      trial.store["count"] = nil
      let expected = nasty.map { KeyName($0) }.sorted { $0.precedes($1) }
      trial.expect(keys(of: trial.hostStore) == expected, "the keys are not the same")
    },
    Case(
      "R17", needs: .anyBytes, "bytes that are no text are damage, from its start"
    ) { trial in
      trial.store.put([0x61, 0xFF], for: "name")
      @Shared(.appStorage("name")) var name = "Ada"
      trial.expect(name, equals: "Ada")
      trial.expect($name.loadError.map(reason) == .corrupt(offset: 0), "another error, or none")
    },
    Case("R17", "whatever is stored and removed, a store holds what a plain list does") { trial in
      var numbers = Numbers(seed: 17)
      var model: [(key: KeyName, bytes: [UInt8])] = []
      for _ in 1...250 {
        let key = KeyName(nasty[numbers.next(below: nasty.count)])
        let known = model.firstIndex { $0.key == key }
        switch numbers.next(below: 4) {
        case 0:
          try? trial.hostStore.remove(key)
          if let known { model.remove(at: known) }
        case 1:
          let bytes = (try? trial.hostStore.bytes(for: key)) ?? nil
          trial.expect(bytes == known.map { model[$0].bytes }, "\(key) has other bytes")
        default:
          let bytes = (0..<numbers.next(below: 50)).map { _ in UInt8(numbers.next(below: 128)) }
          try? trial.hostStore.set(bytes, for: key)
          if let known { model[known].bytes = bytes } else { model.append((key, bytes)) }
        }
      }
      trial.expect(
        keys(of: trial.hostStore) == model.map { $0.key }.sorted { $0.precedes($1) },
        "the keys are not the same")
      for (key, bytes) in model {
        let stored = (try? trial.hostStore.bytes(for: key)) ?? nil
        trial.expect(stored == bytes, "\(key) has other bytes")
      }
    },
    Case("R17", "any text is a key, and no two are the same item") { trial in
      expectItems(of: nasty, in: trial)
    },
    Case("R17", needs: .longNames, "a text of any length is a key") { trial in
      expectItems(of: long, in: trial)
    },
    Case("R17", needs: .files, "a key whose file name is too long is an error, and no file") {
      trial in
      let folder = trial.host.makeFolder()
      let store = FileStore(folder: folder, following: .never)
      try? store.set([49], for: "count")
      for key in long {
        let slot = store.slot(for: KeyName(key))
        trial.expect(
          failure { () throws(StorageError) in _ = try slot.read() } == .nameTooLong,
          "it was read")
        trial.expect(
          failure { () throws(StorageError) in _ = try slot.replace(by: [49]) } == .nameTooLong,
          "it was stored")
      }
      let names = (try? FileSlot.names(in: folder.bytes)) ?? []
      let files = names.map { UTF8Text($0) }.filter { $0 != "." && $0 != ".." }
      trial.expect(files == ["count.json"], "there are other files")
    },
  ]

  private static func expectItems(of keys: [String], in trial: Trial) {
    for (number, key) in keys.enumerated() {
      let value = Shared(wrappedValue: -1, .localStorage(key))
      value.withLock { $0 = number }
      trial.expect(value.saveError == nil, "key \(number) is not saved")
    }
    for (number, key) in keys.enumerated() {
      trial.expect(trial.store[key], equals: "\(number)")
    }
  }

  private static func keys(of store: any KeyValueStore) -> [KeyName]? {
    guard let document = try? StoreDocument.export(listedKeys(of: store), of: store) else {
      return nil
    }
    let copy = MemoryStore()
    try? StoreDocument.import(document, to: copy)
    return copy.keys()
  }

  static let coding: [Case] = [
    Case("R11", "values of every kind come back as they were") { trial in
      @Shared(.localStorage("int")) var int = 0
      @Shared(.localStorage("double")) var double = 0.0
      @Shared(.localStorage("bool")) var bool = false
      @Shared(.localStorage("string")) var string = ""
      @Shared(.localStorage("array")) var array: [Int] = []
      @Shared(.localStorage("dictionary")) var dictionary: [String: Int] = [:]
      @Shared(.localStorage("user")) var user = User()
      $int.withLock { $0 = Int.min }
      $double.withLock { $0 = 0.1 }
      $bool.withLock { $0 = true }
      $string.withLock { $0 = "\u{1F600}\"\\\n" }
      $array.withLock { $0 = [1, 2] }
      $dictionary.withLock { $0 = ["a": 1, "b": 2] }
      $user.name.withLock { $0 = "Ada" }
      trial.inAnotherProgram {
        @Shared(.localStorage("int")) var int = 0
        @Shared(.localStorage("double")) var double = 0.0
        @Shared(.localStorage("bool")) var bool = false
        @Shared(.localStorage("string")) var string = ""
        @Shared(.localStorage("array")) var array: [Int] = []
        @Shared(.localStorage("dictionary")) var dictionary: [String: Int] = [:]
        @Shared(.localStorage("user")) var user = User()
        trial.expect(int, equals: Int.min)
        trial.expect(double == 0.1, "\(double) is not 0.1")
        trial.expect(bool, equals: true)
        trial.expect(string, equals: "\u{1F600}\"\\\n")
        trial.expect(array, equals: [1, 2])
        trial.expect(dictionary["a"] == 1 && dictionary["b"] == 2, "the dictionary is not the same")
        trial.expect(user.name, equals: "Ada")
      }
    }
  ]
}

/// Pseudorandom numbers, the same ones in every run.
private struct Numbers {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
