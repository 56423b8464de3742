import Dispatch
import Observation
import SharingCommits
import SharingCore
import Synchronization
import Testing
import WasiStorage

/// Code of the program that is notified of a change from outside uses the value (rule R7).
struct CommitObservationTests {
  private let store = ReportingStore()

  @Test func whoeverIsToldOfACommitMaySaveTheValue() {
    let count = Shared(wrappedValue: 0, .revisions("count", in: store))
    let saved = Mutex(0)
    afterTracking({ _ = count.wrappedValue }) { count.save { _ in saved.withLock { $0 += 1 } } }
    expectsEnd { store.commit("5") }
    #expect(saved.withLock { $0 } == 1)
    #expect(count.wrappedValue == 5)
  }

  @Test func whoeverIsToldOfACommitMayWaitForAnotherThreadThatSavesTheValue() {
    let count = Shared(wrappedValue: 0, .revisions("count", in: store))
    afterTracking({ _ = count.wrappedValue }) { expectsEnd { count.save() } }
    expectsEnd { store.commit("5") }
    #expect(count.wrappedValue == 5)
  }

  @Test func whoeverIsToldOfACommitMayChangeAndSaveTheValue() {
    let count = Shared(wrappedValue: 0, .revisions("count", in: store))
    let isFirst = Mutex(true)
    afterTracking({ _ = count.wrappedValue }) {
      // Swift's Observation calls this for its own change, too.
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }; return isFirst
        })
      else { return }
      count.update { $0 += 1 }
      count.save()
    }
    expectsEnd { store.commit("5") }
    #expect(count.wrappedValue == 6)
    #expect(store.text == "6")
  }

  @Test func whoeverIsToldOfAChangedElementMaySaveTheArray() {
    store.commit("[1,2]")
    let numbers = Shared(wrappedValue: [Int](), .revisions("count", in: store))
    afterTracking({ _ = numbers.wrappedValue }) { numbers.save() }
    expectsEnd { store.commit("[1,3]") }
    #expect(numbers.wrappedValue == [1, 3])
  }

  @Test func whoeverIsToldOfALoadedValueMaySaveIt() {
    let count = Shared(wrappedValue: 0, .revisions("count", in: store))
    afterTracking({ _ = count.wrappedValue }) { count.save() }
    store.commit("5", isReported: false)
    expectsEnd { count.load() }
    #expect(count.wrappedValue == 5)
  }

  @Test func whoeverIsToldOfTheEndOfAnErrorMaySaveTheValue() {
    let count = Shared(wrappedValue: 0, .revisions("count", in: store))
    store.commit("5")
    store.report(.failure(StorageError(.unavailable, key: nil, "Commits may be missed.")))
    #expect(count.loadError != nil)
    afterTracking({ _ = count.loadError }) { count.save() }
    expectsEnd { store.report(.success([store.memory.stored("count")])) }
    #expect(count.loadError == nil)
  }
}

/// Tracks the reads of a closure, and calls another one at the first change.
private func afterTracking(_ read: () -> Void, _ onChange: @escaping @Sendable () -> Void) {
  withObservationTracking(read, onChange: onChange)
}

/// Runs a closure on another thread, which must not wait for ever.
private func expectsEnd(_ body: @escaping @Sendable () -> Void) {
  let ended = DispatchSemaphore(value: 0)
  DispatchQueue(label: "other").async {
    body()
    ended.signal()
  }
  #expect(ended.wait(timeout: .now() + 10) == .success, "The thread waits.")
}

/// A store in memory that reports changes on demand.
private final class ReportingStore: RevisionStore {
  let memory = MemoryRevisionStore()
  private let watchers = Mutex<[@Sendable (StoreChanges) -> Void]>([])

  var text: String { String(decoding: memory.stored("count").bytes ?? [], as: UTF8.self) }

  /// Stores a text as another program.
  func commit(_ text: String, isReported: Bool = true) {
    let entry = CommitEntry(key: "count", expected: nil, bytes: Array(text.utf8))
    let other = Commit(client: .init("\(text)"), after: 0, through: 1, entries: [entry])
    memory.commit(other, rebase: { _, _ in nil }) { answer in
      if isReported, case .accepted(let stored, _) = answer { self.report(.success(stored)) }
    }
  }

  func report(_ changes: StoreChanges) {
    for watcher in watchers.withLock({ $0 }) { watcher(changes) }
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    memory.load(keys, client: client, done)
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    memory.commit(commit, rebase: rebase, done)
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    watchers.withLock { $0.append(onChange) }
    return SharedSubscription {}
  }
}
