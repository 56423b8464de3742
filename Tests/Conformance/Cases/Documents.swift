import SharingCore
import WasiStorage

extension Case {
  static let documents: [Case] = [
    Case("R17", "an export is one JSON object of the stored texts") { trial in
      trial.store["b"] = #"{"id":1}"#
      trial.store["a"] = "3"
      trial.store["A/\u{E9}"] = ""
      trial.expect(
        export(trial.hostStore), equals: #"{"A/\#u{E9}":"","a":"3","b":"{\"id\":1}"}"#)
      trial.expect(export(MemoryStore()), equals: "{}")
    },
    Case("R8", "an observer sees all items of an import at once, or none if one fails") { trial in
      let store = ScriptedStore(over: MemoryStore())
      store.onWrite = { store.notify(nil) }
      trial.environment.stores.local = store
      @Shared(.localStorage("from")) var from = 0
      @Shared(.localStorage("to")) var to = 0
      let lengths = Log()
      let token = observe { lengths.append(to - from) }
      try? StoreDocument.import(Array(#"{"from":"5","to":"9"}"#.utf8), to: store)
      trial.expect(lengths.numbers, equals: [0, 4])
      store.writesUntilFailure = 1
      try? StoreDocument.import(Array(#"{"from":"7","to":"8"}"#.utf8), to: store)
      trial.expect(from, equals: 5)
      trial.expect(lengths.numbers.allSatisfy { $0 == 0 || $0 == 4 }, "it sees half of the items")
      token.cancel()
    },
    Case("R17", "an export may be of some items only, and leaves out those that are missing") {
      trial in
      for key in ["app/a", "app", "other"] { trial.store[key] = "1" }
      let keys = ["other", "missing", "app/a"].map { KeyName($0) }
      let document = try? StoreDocument.export(keys, of: trial.hostStore)
      trial.expect(text(document), equals: #"{"other":"1","app/a":"1"}"#)
    },
    Case("R17", needs: .anyBytes, "an export names an item whose bytes are not UTF-8, and fails") {
      trial in
      let key = KeyName("bytes")
      try? trial.hostStore.set([0xFF, 0x00], for: key)
      var error: StorageError?
      do throws(StorageError) {
        _ = try StoreDocument.export([key], of: trial.hostStore)
      } catch let failure {
        error = failure
      }
      trial.expect(error?.reason == .unencodable && error?.key == key, "another error is thrown")
    },
    Case("R17", "a document with another value than a text is refused as a whole") { trial in
      trial.store["a"] = "old"
      var error: StorageError?
      do throws(StorageError) {
        try StoreDocument.import(
          Array(#"{"a":"new","b":"new","c":[255]}"#.utf8), to: trial.hostStore)
      } catch let failure {
        error = failure
      }
      trial.expect(error?.reason == .unreadable(offset: 25), "another error is thrown")
      trial.expect(text(all(trial.hostStore)), equals: #"{"a":"old"}"#)
    },
    Case("R17", needs: .anyBytes, "an export names an item whose key is not UTF-8, and fails") {
      trial in
      let (odd, plain) = (KeyName(bytes: [0xFF]), KeyName("a"))
      try? trial.hostStore.set([49], for: odd)
      try? trial.hostStore.set([50], for: plain)
      var error: StorageError?
      do throws(StorageError) {
        _ = try StoreDocument.export([plain, odd], of: trial.hostStore)
      } catch let failure {
        error = failure
      }
      trial.expect(error?.reason == .unencodable && error?.key == odd, "another error is thrown")
      trial.expect(error?.advice, contains: #""%FF""#)
      let document = try? StoreDocument.export([plain], of: trial.hostStore)
      trial.expect(text(document), equals: #"{"a":"2"}"#)
      try? trial.hostStore.remove(odd)
      trial.expect(export(trial.hostStore), equals: #"{"a":"2"}"#)
    },
    Case("R14", "what is imported is shown, and other items stay") { trial in
      trial.environment.stores.local = trial.hostStore
      trial.store["other"] = "5"
      @Shared(.localStorage("count")) var count = 1
      @Shared(.localStorage("other")) var other = 1
      let seen = Log()
      let token = observe { seen.append(count) }
      let document = Array(#" {"new":"2", "count":"7"} "#.utf8)
      try? StoreDocument.import(document, to: trial.hostStore)
      trial.expect(seen.numbers, equals: [1, 7])
      trial.expect(other, equals: 5)
      trial.expect(trial.store["new"], equals: "2")
      token.cancel()
    },
    Case("R15", "a damaged document is refused and stores nothing") { trial in
      let damaged = [
        #"{"a":"1""#, #"{"a":"1","b":2}"#, #"{"a":"1"} x"#, #"{"a":"1","b":{}}"#, "[]", "",
        #"{"a":"1","b":[256]}"#, #"{"a":"1","b":[-1]}"#, #"{"a":"1","b":["1"]}"#,
        #"{"a":"1","b":[1"#,
      ]
      for document in damaged {
        let outcome: Void? = try? StoreDocument.import(Array(document.utf8), to: trial.store)
        trial.expect(outcome == nil, "\(document) is taken")
      }
      trial.expect(trial.store.writeCount, equals: 0)
    },
    Case("R16", "an import that fails leaves every item as it was") { trial in
      trial.store["a"] = "old"
      trial.store.writesUntilFailure = 2
      let document = Array(#"{"a":"1","b":"2","c":"3"}"#.utf8)
      let outcome: Void? = try? StoreDocument.import(document, to: trial.store)
      trial.expect(outcome == nil, "it does not fail")
      trial.expect(export(trial.hostStore), equals: #"{"a":"old"}"#)
    },
  ]

  private static func export(_ store: any KeyValueStore) -> String? {
    text(all(store))
  }

  private static func all(_ store: any KeyValueStore) -> [UInt8]? {
    try? StoreDocument.export(listedKeys(of: store), of: store)
  }

  private static func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}
