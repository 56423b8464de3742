import Foundation
import SharingCore
import SharingTesting
import Testing
import WasiStorage

/// Wrappers and keys print like their source code.
@Suite(.sharing) struct DescriptionTests {
  @Test func aWrapperIsItsTypeAndItsKey() {
    @Shared(.inMemory("memory")) var memory = 0
    @Shared(.appStorage("count")) var count = 0
    @Shared(.appStorage("name")) var name: String?
    @Shared(.localStorage("todos")) var todos: [Todo] = []
    @Shared(.sessionStorage("filter")) var filter: [String: Int] = [:]
    @Shared(.fileStorage("a/b.json")) var file = 0
    @Shared(.fileStorage(URL(fileURLWithPath: "/a/../b.json"))) var url = 0
    @Shared(.locationHash) var hash = ""
    @SharedReader(.appStorage("count")) var reader = 0
    #expect("\($memory)" == #"Shared<Int>(.inMemory("memory"))"#)
    #expect("\($count)" == #"Shared<Int>(.appStorage("count"))"#)
    #expect("\($name)" == #"Shared<String?>(.appStorage("name"))"#)
    #expect("\($todos)" == #"Shared<[Todo]>(.localStorage("todos"))"#)
    #expect("\($filter)" == #"Shared<[String: Int]>(.sessionStorage("filter"))"#)
    #expect("\($file)" == #"Shared<Int>(.fileStorage("a/b.json"))"#)
    #expect("\($url)" == "Shared<Int>(.fileStorage(file:///b.json))")
    #expect("\($hash)" == "Shared<String>(.locationHash)")
    #expect("\($reader)" == #"SharedReader<Int>(.appStorage("count"))"#)
    $count.withLock { $0 = 7 }
    #expect(String(describing: $count) == #"Shared<Int>(.appStorage("count"))"#)
  }

  @Test func aFailedAssertionNamesTheTypeInTheSameWay() {
    let failures = Shared<[UTF8Text]>(value: [])
    let tracker = SharedChangeTracker { failure in
      failures.withLock { $0.append(failure.message) }
    }
    @Shared(value: [1]) var numbers
    tracker.track {
      $numbers.withLock { $0.append(2) }
      $numbers.assert { $0 = [3] }
    }
    #expect(failures.wrappedValue.count == 1)
    #expect(failures.wrappedValue.first?.description.contains("Shared<[Int]>") == true)
  }

  @Test func aPrefixIsPrintedAsItWasGiven() {
    @Shared(.localStorage("a \"b\"", prefix: "app.")) var local = 0
    @Shared(.sessionStorage("c", prefix: "app.")) var session = 0
    #expect("\($local)" == #"Shared<Int>(.localStorage("a \"b\"", prefix: "app."))"#)
    #expect("\($session)" == #"Shared<Int>(.sessionStorage("c", prefix: "app."))"#)
  }

  @Test func aKeyWithADefaultIsTheKey() {
    @Shared(.isOn) var isOn
    #expect("\($isOn)" == #"Shared<Bool>(.inMemory("isOn"))"#)
    #expect("\(InMemoryKey<Bool>.Default.isOn)" == #".inMemory("isOn")"#)
  }

  @Test func aKeyOfOnesOwnIsItsDescription() {
    let store = SharingEnvironment.current.stores.local
    @Shared(StoredKey(KeyName("draft"), in: store, coding: .json)) var draft = ""
    #expect("\($draft)" == #"Shared<String>(StoredKey("draft"))"#)
    @SharedReader(ClockKey()) var seconds = 0
    #expect("\($seconds)" == "SharedReader<Int>(a clock)")
  }

  @Test func withoutAKeyItIsTheValue() {
    @Shared(value: "Ada \"the first\"") var name
    #expect("\($name)" == #"Shared<String>(value: "Ada \"the first\"")"#)
    #expect("\(SharedReader.constant(3))" == "SharedReader<Int>(value: 3)")
    #expect("\($name.count)" == "SharedReader<Int>(value: 15)")
  }

  @Test func aPartNamesTheKeyThatItIsAPartOf() {
    @Shared(.inMemory("todos")) var todos = [Todo(id: 1, title: "Tea")]
    @Shared(.inMemory("other")) var other = 0
    #expect("\($todos[id: 1]!.title)" == #"Shared<String>(part of .inMemory("todos"))"#)
    #expect("\($todos.read { $0.count })" == #"SharedReader<Int>(part of .inMemory("todos"))"#)
  }

  @Test func theValueIsInTheMirror() {
    @Shared(.inMemory("todo")) var todo = Todo(id: 1, title: "Tea")
    var text = ""
    dump($todo, to: &text)
    #expect(text.contains(#"Shared<Todo>(.inMemory("todo"))"#))
    #expect(text.contains(#"title: "Tea""#))
  }

  @Test func wrappersOfOtherEnvironmentsAreDescribedToo() {
    let own = SharingEnvironment().run { Shared(wrappedValue: 3, .localStorage("own")) }
    #expect("\(own)" == #"Shared<Int>(.localStorage("own"))"#)
    let memory = SharingEnvironment().run { Shared(wrappedValue: 3, .inMemory("own")) }
    #expect("\(memory)" == "Shared<Int>(value: 3)")
  }

  @Test func messagesNameTheKeyAsItIsWritten() {
    let late = LateKey(name: "late")
    var value: Shared<Int>? = Shared(wrappedValue: 0, late)
    withKnownIssue {
      for _ in 1...2 { late.store.load?.resume(returning: 1) }
    } matching: {
      $0.says("The continuation of late(\"late\") was resumed a second time")
    }
    value?.withLock { $0 = 2 }
    withKnownIssue {
      for _ in 1...2 { late.store.save?.resume() }
    } matching: {
      $0.says("The continuation of late(\"late\") was resumed a second time")
    }
    value?.withLock { $0 = 3 }
    withKnownIssue {
      late.store.save = nil
    } matching: {
      $0.says("The continuation of late(\"late\") was dropped")
    }
    value = nil
    withKnownIssue {
      late.store.load?.resume(returning: 1)
    } matching: {
      $0.says("The continuation of a shared key was resumed a second time")
    }
  }

  @Test func aContinuationIsDescribedByAnyKey() {
    func resumeTwice<Key: SharedReaderKey>(_ key: Key) {
      let continuation = LoadContinuation<Key.Value>("\(key)") { _ in }
      for _ in 1...2 { continuation.resumeReturningInitialValue() }
    }
    withKnownIssue {
      resumeTwice(ClockKey())
    } matching: {
      $0.says("The continuation of a clock was resumed a second time")
    }
  }

  /// A key may keep a resumed continuation: that keeps neither the value nor the key alive.
  @Test func aContinuationThatIsKeptKeepsNothing() {
    weak var store: LateKey.Store?
    do {
      let late = LateKey(name: "late")
      store = late.store
      let value = Shared(wrappedValue: 0, late)
      late.store.load?.resume(returning: 1)
      value.withLock { $0 = 2 }
      late.store.save?.resume()
    }
    #expect(store == nil)
  }
}

extension Issue {
  fileprivate func says(_ text: String) -> Bool {
    comments.first?.rawValue.hasPrefix(text) == true
  }
}

private struct Todo: Codable, Identifiable {
  var id = 0
  var title = ""
}

extension SharedKey where Self == InMemoryKey<Bool>.Default {
  fileprivate static var isOn: Self { Self[.inMemory("isOn"), default: false] }
}

private struct ClockKey: SharedReaderKey, CustomStringConvertible {
  var id: Int { 0 }
  var description: String { "a clock" }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }
}

/// A key that answers on demand, and keeps its continuations.
private struct LateKey: SharedKey, CustomStringConvertible {
  let name: String
  let store = Store()

  final class Store: @unchecked Sendable {
    var load: LoadContinuation<Int>?
    var save: SaveContinuation?
  }

  var id: String { name }
  var description: String { "late(\"\(name)\")" }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    store.load = continuation
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    store.save = continuation
  }
}
