import Foundation
import SharingCommits
import SharingCore
import Synchronization
import Testing
import WasiStorage

/// Closures of the program that use the library again (rule R7). With a lock held, they would wait
/// for ever: the process ends after ten seconds.
@Suite struct ForeignCodeTests {
  @Test func theStoreOfAnEngineMayBeMadeWithTheHelpOfEngines() async {
    await #expect(processExitsWith: .success) {
      alarm(10)
      let engines = SharingEnvironment.current.engines
      engines.use(MemoryRevisionStore(), for: "moon")
      let made = Mutex(0)
      engines.use(for: "world") { key in
        made.withLock { $0 += 1 }
        guard EngineName("moon").isAvailable else { return MemoryRevisionStore() }
        _ = Shared(wrappedValue: 0, .engine("count", in: "moon"))
        return MemoryRevisionStore()
      }
      let count = Shared(wrappedValue: 0, .engine("count", in: "world"))
      let again = Shared(wrappedValue: 0, .engine("count", in: "world"))
      count.update { $0 += 1 }
      let isShared = again.wrappedValue == 1 && made.withLock { $0 } == 1
      exit(isShared ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test func aKeyBuiltOnAPrefixMayStoreAnEntryWhenItReceivesOne() async {
    await #expect(processExitsWith: .success) {
      alarm(10)
      let store = MemoryRevisionStore()
      SharingEnvironment.current.engines.use(store, for: "world")
      let count = SharedReader(
        wrappedValue: 0, CountKey { if $0 == 1 { store.store("people.bob") } })
      store.store("people.ann")
      exit(count.wrappedValue == 2 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test func theTrackerOfAStatusMayReadIt() async {
    await #expect(processExitsWith: .success) {
      alarm(10)
      let environment = SharingEnvironment.current
      environment.stores.local = MemoryStore()
      let count = Shared(wrappedValue: 0, .localStorage("count"))
      let reads = Mutex(0)
      environment.makeReadTracker = {
        let isFirst = reads.withLock {
          $0 += 1
          return $0 == 1
        }
        if isFirst { _ = count.isLoading }
        return ReadTracker()
      }
      let isLoading = count.isLoading
      exit(!isLoading && reads.withLock { $0 } > 0 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}

/// The number of values under a prefix. Calls a closure with each number that it has yielded.
private struct CountKey: SharedReaderKey {
  let id = KeyName("how many")
  let base = EnginePrefixKey<Int>.engine(prefix: "people.", in: "world")
  let onCount: @Sendable (Int) -> Void

  init(_ onCount: @escaping @Sendable (Int) -> Void) { self.onCount = onCount }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    base.load(
      context: .userInitiated,
      continuation: LoadContinuation { continuation.resume(with: $0.map { $0?.count ?? 0 }) })
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    base.subscribe(
      context: .userInitiated,
      subscriber: SharedSubscriber { result in
        guard case .success(let entries) = result else { return }
        subscriber.yield(entries?.count ?? 0)
        onCount(entries?.count ?? 0)
      })
  }
}

extension MemoryRevisionStore {
  /// Stores a number, like another program.
  fileprivate func store(_ key: KeyName) {
    let entry = CommitEntry(key: key, expected: nil, bytes: Array("1".utf8))
    let commit = Commit(client: "\(key)", after: 0, through: 1, entries: [entry])
    self.commit(commit, rebase: { _, _ in nil }) { _ in }
  }
}
