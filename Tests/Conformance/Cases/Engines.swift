import SharingCommits
import SharingCore
import WasiStorage

extension EngineName {
  fileprivate static let world: EngineName = "world"
}

/// Values in an engine that the page provides or the program sets itself.
let engines: [Case] = [
  Case("R24", "programs that have set one store as their engine share its values") { trial in
    let store = MemoryRevisionStore()
    let programs = (0..<2).map { _ in SharingEnvironment() }
    for program in programs { program.engines.use(for: .world) { _ in store } }
    let counts = programs.map { program in
      program.run { Shared(wrappedValue: 0, .engine("count", in: .world)) }
    }
    for (program, count) in zip(programs, counts) { program.run { count.update { $0 += 1 } } }
    trial.expect(counts[0].wrappedValue, equals: 2)
    trial.expect(counts[1].wrappedValue, equals: 2)
    trial.expect(UTF8Text(store.stored(KeyName("count")).bytes ?? []), contains: "2")
  },
  Case("R29", "what is changed under an engine that is missing is shown, and nothing is lost") {
    trial in
    let count = Shared(wrappedValue: 0, .engine("count", in: .world))
    count.update { $0 += 1 }
    count.withLock { $0 += 1 }
    trial.expect(count.wrappedValue, equals: 2)
    if isTesting {
      trial.expect(count.saveError == nil, "a test has one in memory")
    } else {
      trial.expect(count.saveError.map { reason(of: $0) } == .unavailable, "nobody is told")
      trial.expect(count.isSaving, "it is stored nowhere")
    }
  },
  Case("R29", "two engines that are missing share no value") { trial in
    let count = Shared(wrappedValue: 0, .engine("count", in: .world))
    let other = Shared(wrappedValue: 5, .engine("count", in: "moon"))
    count.update { $0 += 1 }
    trial.expect(count.wrappedValue, equals: 1)
    trial.expect(other.wrappedValue, equals: 5)
  },
  Case("R4", "who may not store a value of an engine reads and follows it") { trial in
    let store = MemoryRevisionStore()
    let readOnly = ReadOnlyStore(over: store)
    let other = SharingEnvironment()
    other.engines.use(for: .world) { _ in store }
    trial.environment.engines.use(for: .world) { _ in readOnly }
    let theirs = other.run { Shared(wrappedValue: 0, .engine("count", in: .world)) }
    other.run { theirs.update { $0 += 1 } }
    let count = SharedReader(wrappedValue: 0, .engine("count", in: .world))
    var seen: [Int] = []
    let token = observe { seen.append(count.wrappedValue) }
    other.run { theirs.update { $0 += 1 } }
    token.cancel()
    trial.expect(seen, equals: [1, 2])
    trial.expect(count.loadError == nil && !count.isLoading, "something is wrong with it")
    trial.expect(readOnly.commitCount, equals: 0)
  },
  Case("R29", "an engine that the program has set is connected, one that is missing is not") {
    trial in
    trial.environment.engines.use(for: .world) { _ in MemoryRevisionStore() }
    let other = EngineName(stringLiteral: "moon")
    trial.expect(EngineName.world.status.isConnected, "it is there")
    trial.expect(!other.status.isConnected, "it is missing")
    trial.expect(
      EngineName.world.isAvailable && !other.isAvailable, "likewise")
  },
]

/// A store without write access to the original store.
private final class ReadOnlyStore: RevisionStore, @unchecked Sendable {
  private let original: any RevisionStore
  /// The number of attempted commits.
  private(set) var commitCount = 0

  init(over original: any RevisionStore) {
    self.original = original
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    original.load(keys, client: client, done)
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    commitCount += 1
    done(.failed(StorageError(.denied, key: nil, "You may only read it.")))
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    original.watch(onChange)
  }
}
