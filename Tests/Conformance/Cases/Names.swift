import SharingCore
import WasiStorage

extension Case {
  /// Key strings that trip up stores.
  private static let nasty = [
    "", " ", "__proto__", "constructor", "length", "key", "getItem", "hasOwnProperty", "/../", "..",
    ".", "a/b", "a\\b", "a:b", "%2F", "CON", "key\u{0}null", "line\nbreak", "\u{1F600}",
    "e\u{301}", "\u{E9}", "\u{FEFF}bom", "\u{202E}rtl", String(repeating: "long", count: 500),
    String(repeating: "\u{1F600}", count: 100),
  ]

  static let names: [Case] = [
    Case("R17", "a store lists every key that it holds, in the order of their bytes") { trial in
      for key in nasty { trial.store[key] = "1" }
      trial.store["count"] = "1"
      trial.store["count"] = nil
      let expected = nasty.map { KeyName($0) }.sorted()
      trial.expect(keys(of: trial.hostStore) == expected, "the keys are not the same")
    },
    Case("R17", "any text is a key, and no two are the same item") { trial in
      for (number, key) in nasty.enumerated() {
        let value = Shared(wrappedValue: -1, .localStorage(key))
        value.withLock { $0 = number }
        trial.expect(value.saveError == nil, "key \(number) is not saved")
      }
      for (number, key) in nasty.enumerated() {
        trial.expect(trial.store[key], equals: "\(number)")
      }
    },
  ]

  private static func keys(of store: any KeyValueStore) -> [KeyName]? {
    guard let document = try? StoreDocument.export(store) else { return nil }
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
