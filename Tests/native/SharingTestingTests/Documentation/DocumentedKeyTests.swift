import SharingCore
import SharingTesting
import Synchronization
import Testing
import WasiStorage

// The examples of keys in the documentation of Point-Free's Sharing, in its users' form.

extension SharedKey where Self == InMemoryKey<[String]> {
  fileprivate static var guests: Self { inMemory("guests") }
}

extension SharedReaderKey where Self == AppStorageKey<Int> {
  fileprivate static var visits: Self { appStorage("visits") }
}

extension SharedReaderKey where Self == InMemoryKey<[String]>.Default {
  fileprivate static var names: Self { Self[.inMemory("names"), default: []] }
}

extension SharedKey where Self == AppStorageKey<Bool>.Default {
  fileprivate static var isOn: Self { Self[.appStorage("isOn"), default: false] }
}

// One name for two kinds of key: the type of the value distinguishes them.
extension SharedKey where Self == InMemoryKey<Int> {
  fileprivate static var total: Self { inMemory("total") }
}

extension SharedReaderKey where Self == AppStorageKey<Int?>.Default {
  fileprivate static var total: Self { Self[.appStorage("total"), default: nil] }
}

/// The storage of the keys of these tests.
private final class Backend: Sendable {
  let values = Mutex<[String: Int]>([:])
  let savedBy = Mutex<[SaveContext]>([])
  let subscriber = Mutex<SharedSubscriber<Int>?>(nil)
  let failure = Mutex<Refusal?>(nil)
}

private struct Refusal: Error, Equatable {}

private struct BackendKey: SharedKey {
  let name: String
  let backend: Backend

  var id: some Hashable { name }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    if let failure = backend.failure.withLock({ $0 }) {
      return continuation.resume(throwing: failure)
    }
    guard let value = backend.values.withLock({ $0[name] }) else {
      return continuation.resumeReturningInitialValue()
    }
    continuation.resume(returning: value)
  }

  func subscribe(
    context _: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    backend.subscriber.withLock { $0 = subscriber }
    return SharedSubscription { backend.subscriber.withLock { $0 = nil } }
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    switch context {
    case .didSet, .userInitiated: backend.savedBy.withLock { $0.append(context) }
    }
    if let failure = backend.failure.withLock({ $0 }) {
      return continuation.resume(throwing: failure)
    }
    backend.values.withLock { $0[name] = value }
    continuation.resume()
  }
}

extension SharedKey where Self == BackendKey {
  fileprivate static func backend(_ name: String, _ backend: Backend) -> Self {
    Self(name: name, backend: backend)
  }
}

/// A class that is its own id, and answers later.
private final class FactKey: SharedReaderKey, Hashable {
  let number: Int?

  init(number: Int?) {
    self.number = number
  }

  func load(context _: LoadContext<String?>, continuation: LoadContinuation<String?>) {
    guard let number else { return continuation.resume(returning: nil) }
    Task { continuation.resume(returning: "\(number) is a number") }
  }

  func subscribe(
    context _: LoadContext<String?>, subscriber _: SharedSubscriber<String?>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  static func == (left: FactKey, right: FactKey) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension SharedReaderKey where Self == FactKey {
  fileprivate static func fact(_ number: Int?) -> Self { Self(number: number) }
}

@Suite(.sharing) struct DocumentedKeyTests {
  @Test func idsOfKeysAreCompared() {
    let app: KeyID = AppStorageKey<Int>.appStorage("count").id
    let file: KeyID = FileStorageKey<Int>.fileStorage("count.json").id
    #expect(app == AppStorageKey<Int>.appStorage("count").id)
    #expect(app != AppStorageKey<Int>.appStorage("other").id)
    #expect(file == FileStorageKey<Int>.fileStorage("count.json").id)
    #expect(file != FileStorageKey<Int>.fileStorage("other.json").id)
    #expect(Set([app, file]).count == 2)
  }

  @Test func keysAreStaticMembers() {
    @Shared(.guests) var guests: [String] = []
    @SharedReader(.guests) var guestsReader: [String] = []
    @Shared(.visits) var visits = 0
    @Shared(.names) var names
    @Shared(.names) var namesElsewhere = []
    @SharedReader(.names) var namesReader
    @Shared(.isOn) var isOn
    @SharedReader(.isOn) var isOnReader
    @SharedReader(.isOn) var isOnElsewhere = true
    $guests.withLock { $0 = ["Ada"] }
    $visits.withLock { $0 += 1 }
    $names.withLock { $0.append("Grace") }
    $isOn.withLock { $0.toggle() }
    #expect(guestsReader == ["Ada"])
    #expect(visits == 1)
    #expect(namesReader == ["Grace"] && namesElsewhere == ["Grace"])
    #expect(isOnReader && isOnElsewhere)
  }

  @Test func theTypeOfTheValueTellsEqualNamesApart() async throws {
    #expect(SharedReader<Int>(wrappedValue: 42, .total).wrappedValue == 42)
    @SharedReader(.total) var none
    @Shared(.total) var noneElsewhere
    #expect(none == nil && noneElsewhere == nil)
    let reader = SharedReader(value: 1)
    try await reader.load(.total)
    #expect(reader.wrappedValue == 42)
  }

  @Test func aDefaultCanBeLookedAt() {
    #expect(InMemoryKey<[String]>.Default.names.initialValue == [])
  }

  @Test func aKeyOfOnesOwnLoadsSavesAndSubscribes() async throws {
    let backend = Backend()
    @Shared(.backend("count", backend)) var count = 1
    #expect(count == 1)
    $count.withLock { $0 += 1 }
    try await $count.save()
    #expect(backend.savedBy.withLock { $0 } == [.didSet, .userInitiated])
    backend.subscriber.withLock { $0 }?.yield(5)
    #expect(count == 5)
    backend.subscriber.withLock { $0 }?.yieldReturningInitialValue()
    #expect(count == 1)
    backend.subscriber.withLock { $0 }?.yield(throwing: Refusal())
    #expect($count.loadError is Refusal)
    backend.subscriber.withLock { $0 }?.yieldLoading()
    #expect($count.isLoading)
    backend.subscriber.withLock { $0 }?.yieldLoading(false)
    backend.values.withLock { $0["count"] = 8 }
    try await $count.load()
    #expect(count == 8 && $count.loadError == nil && !$count.isLoading)
  }

  @Test func errorsAreThrownAndKept() async {
    let backend = Backend()
    @Shared(.backend("count", backend)) var count = 1
    backend.failure.withLock { $0 = Refusal() }
    await #expect(throws: Refusal.self) { try await $count.save() }
    await #expect(throws: Refusal.self) { try await $count.load() }
    #expect($count.saveError as? Refusal == Refusal())
    #expect($count.loadError as? Refusal == Refusal())
  }

  @Test func aValueCanBeRequired() async throws {
    let backend = Backend()
    await #expect(throws: (any Error).self) {
      try await Shared(require: .backend("count", backend))
    }
    backend.values.withLock { $0["count"] = 8 }
    @Shared(value: 0) var count
    $count = try await Shared(require: .backend("count", backend))
    #expect(count == 8)
    let reader = try await SharedReader(require: .backend("count", backend))
    #expect(reader.wrappedValue == 8)
  }

  @Test func anotherKeyIsLoaded() async throws {
    let backend = Backend()
    backend.values.withLock { $0 = ["one": 1, "two": 2] }
    @Shared(.backend("one", backend)) var count = 0
    try await $count.load(.backend("two", backend))
    #expect(count == 2)
    @SharedReader(value: 0) var reader
    try await $reader.load(.backend("one", backend))
    #expect(reader == 1)
  }

  @Test func aKeyMayAnswerLater() async throws {
    @SharedReader(.fact(nil)) var fact
    #expect(fact == nil)
    try await $fact.load(.fact(42))
    #expect(fact == "42 is a number")
    $fact = SharedReader(.fact(nil))
    #expect(fact == nil)
  }

  @Test func aKeyIsAskedDirectly() {
    let key: AppStorageKey<Int> = .appStorage("shared")
    @Shared(.appStorage("shared")) var value = 0
    let changes = Mutex<[Int?]>([])
    let subscription = key.subscribe(
      context: .userInitiated,
      subscriber: SharedSubscriber { result in
        changes.withLock { $0.append((try? result.get()) ?? nil) }
      })
    $value.withLock { $0 = 42 }
    subscription.cancel()
    $value.withLock { $0 = 123 }
    let loaded = Mutex<Int?>(nil)
    key.load(
      context: .userInitiated,
      continuation: LoadContinuation { result in
        loaded.withLock { $0 = (try? result.get()) ?? nil }
      })
    #expect(loaded.withLock { $0 } == 123)
    #expect(changes.withLock { $0 } == [42])
  }

  @Test func contextsAreCompared() {
    #expect(LoadContext.initialValue(1) == .initialValue(1))
    #expect(LoadContext<Int>.userInitiated.initialValue == nil)
    #expect(Set<LoadContext<Int>>([.userInitiated, .userInitiated]).count == 1)
  }
}
