import SharingCommits
import SharingCore
import Testing
import WasiStorage

/// One item under two types, the second after the wrappers of the first are gone, or behind keys
/// that the program composes (rule R1).
struct OneKeyTwoTypesTests {
  @Test func aCommittedKeyOfAnotherTypeDoesNotOverwriteTheFirst() {
    let store = MemoryRevisionStore()
    SharingEnvironment().run {
      do {
        @Shared(.revisions("x", in: store)) var number = 1
        $number.withLock { $0 = 2 }
      }
      @Shared(.revisions("x", in: store)) var texts = ["a", "b"]
      #expect(texts == ["a", "b"])
      #expect($texts.loadError != nil)
      $texts.withLock { $0.append("c") }
      #expect(texts == ["a", "b", "c"])
    }
    #expect(text(store, "x") == "2")
    #expect(text(store, "x.replaced").contains(##""text":"[\"a\",\"b\",\"c\"]""##))
  }

  @Test func composedKeysOfTwoTypesEachUseTheirOwnCoding() {
    let environment = SharingEnvironment()
    let store = MemoryStore()
    environment.stores.local = store
    environment.run {
      @Shared(Composed(base: .localStorage("x"), number: 1)) var number = 1
      @Shared(Composed(base: .localStorage("x"), number: 2)) var texts = ["a", "b"]
      $number.withLock { $0 = 2 }
      #expect(store.bytes(for: "x") == Array("2".utf8))
      $texts.withLock { $0.append("c") }
      #expect(store.bytes(for: "x") == Array("2".utf8))
      store.remove("x")
      $texts.withLock { $0.append("d") }
      #expect(store.bytes(for: "x") == Array(#"["a","b","c","d"]"#.utf8))
    }
  }

  private func text(_ store: MemoryRevisionStore, _ key: KeyName) -> String {
    String(decoding: store.stored(key).bytes ?? [], as: UTF8.self)
  }
}

/// A key of a program, made of a stored key.
private struct Composed<Value: JSONValue>: SharedKey {
  let base: LocalStorageKey<Value>
  let number: Int

  var id: Int { number }

  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    base.load(context: context, continuation: continuation)
  }

  func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }

  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    base.save(value, context: context, continuation: continuation)
  }
}
