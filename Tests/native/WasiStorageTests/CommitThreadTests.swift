import Dispatch
import NativeTesting
import SharingCommits
import SharingCore
import Synchronization
import Testing
import WasiStorage

/// Programs over a revision store that answers and notifies on its own threads (rules R24, R28).
struct CommitThreadTests {
  @Test func noUpdateIsLostWhereAnswersComeOnOtherThreads() {
    for _ in 0..<20 {
      let memory = MemoryRevisionStore()
      let programs = (0..<3).map { _ in Program(memory) }
      DispatchQueue.concurrentPerform(iterations: programs.count) { index in
        for _ in 0..<200 { programs[index].add() }
        #expect(programs[index].wait(), "It is being saved for ever.")
      }
      let text = String(decoding: memory.stored(KeyName("count")).bytes ?? [], as: UTF8.self)
      #expect(text == "600")
      for program in programs {
        #expect(program.issues == [])
        #expect(program.hears(600), "\(program.count.wrappedValue)")
      }
    }
  }

  @Test func updatesOfTwoThreadsOfOneProgramAreNotLost() {
    for _ in 0..<20 {
      let memory = MemoryRevisionStore()
      let programs = (0..<2).map { _ in Program(memory) }
      DispatchQueue.concurrentPerform(iterations: 2 * programs.count) { index in
        for _ in 0..<200 { programs[index / 2].add() }
      }
      for program in programs { #expect(program.wait(), "It is being saved for ever.") }
      let text = String(decoding: memory.stored(KeyName("count")).bytes ?? [], as: UTF8.self)
      #expect(text == "800")
    }
  }

  @Test func whatIsSetIsWhatIsStored() {
    for _ in 0..<20 {
      let memory = MemoryRevisionStore()
      let programs = (0..<2).map { _ in Program(memory) }
      DispatchQueue.concurrentPerform(iterations: programs.count) { index in
        for number in 0..<100 { programs[index].set(2 * number + index) }
        #expect(programs[index].wait(), "It is being saved for ever.")
      }
      let bytes = memory.stored(KeyName("count")).bytes ?? []
      let last = Int(String(decoding: bytes, as: UTF8.self)) ?? -1
      #expect(last == 198 || last == 199)
      for program in programs {
        #expect(program.hears(last), "\(program.count.wrappedValue) is shown, \(last) stored")
      }
    }
  }

  @Test func changesOfWrappersThatBeginAndEndOnThreadsAreNotLost() {
    for _ in 0..<20 * times {
      let (memory, environment) = (MemoryRevisionStore(), SharingEnvironment())
      @Sendable func counts() -> Shared<[Count]> {
        environment.run { Shared(wrappedValue: [], .revisions("counts", in: memory)) }
      }
      environment.run { counts().withLock { $0 = [Count(id: 0), Count(id: 1)] } }
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        for _ in 0..<200 {
          environment.run { counts()[id: index]!.number.withLock { $0 += 1 } }
        }
      }
      let stored = memory.stored("counts").bytes ?? []
      let numbers = (try? JSON.decode([Count].self, from: stored))?.map { $0.number }
      #expect(numbers == [200, 200])
    }
  }

  @Test func aValueThatIsMadeWhileItIsRecoveredIsNotSavedForEver() {
    let step = #""number":1,"kind":"update","key":"count","default":"0","before":null,"after":"5""#
    let journal = Array(#"{"committed":0,"order":1,"steps":[{\#(step)}]}"#.utf8)
    for round in 0..<200 * times {
      let (memory, journals) = (MemoryRevisionStore(), MemoryStore())
      journals.set(journal, for: "sharing.journal.x.1")
      let other = Program(memory, "other", journals)
      for _ in 0..<round % 100 { _ = other.count.wrappedValue }  // recovery runs meanwhile
      let program = Program(beside: other)
      #expect(program.wait(), "It is being saved for ever.")
      #expect(program.hears(5), "\(program.count.wrappedValue)")
    }
  }

  @Test func savingCanBeAwaited() async throws {
    let memory = MemoryRevisionStore()
    let program = Program(memory)
    program.add()
    program.add()
    try await program.count.save()
    #expect(memory.stored(KeyName("count")).bytes == Array("2".utf8))
    #expect(!program.count.isSaving)
  }
}

private final class Program: Sendable {
  private let environment: SharingEnvironment
  private let store: LateRevisionStore
  private let reported = Reported()
  let count: Shared<Int>

  init(_ memory: MemoryRevisionStore, _ key: String = "count", _ journals: MemoryStore? = nil) {
    let (environment, store) = (SharingEnvironment(), LateRevisionStore(memory))
    if let journals {
      environment.stores.revisions = store
      environment.stores.journalStore = journals
    }
    count = environment.run { Shared(wrappedValue: 0, .revisions(key, in: store)) }
    (self.environment, self.store) = (environment, store)
    environment.onIssue = { [reported = reported] issue in
      reported.issues.withLock { $0.append("\(issue)") }
    }
  }

  /// Creates another value of a program: a count.
  init(beside other: Program) {
    (environment, store) = (other.environment, other.store)
    count = environment.run { Shared(wrappedValue: 0, .revisions("count", in: other.store)) }
  }

  var issues: [String] { reported.issues.withLock { $0 } }

  func add() { environment.run { count.update { $0 += 1 } } }

  func set(_ number: Int) { environment.run { count.withLock { $0 = number } } }

  func wait() -> Bool { waits { !count.isSaving } }

  /// Returns whether it finally shows a value.
  func hears(_ value: Int) -> Bool { waits { count.wrappedValue == value } }

  /// Checks whenever an observer runs, for at most half a minute.
  private func waits(until isTrue: () -> Bool) -> Bool {
    let changed = DispatchSemaphore(value: 0)
    let token = observe { [count] in
      _ = (count.isSaving, count.wrappedValue)
      changed.signal()
    }
    defer { token.cancel() }
    let deadline = DispatchTime.now() + 30
    while !isTrue() {
      if changed.wait(timeout: deadline) == .timedOut { return false }
    }
    return true
  }
}

private final class Reported: Sendable {
  let issues = Mutex<[String]>([])
}

/// A store in memory that does all its work on a thread of the program's connection.
private final class LateRevisionStore: RevisionStore {
  private let memory: MemoryRevisionStore
  private let queue = DispatchQueue(label: "late")

  init(_ memory: MemoryRevisionStore) {
    self.memory = memory
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    queue.async { self.memory.load(keys, client: client, done) }
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    queue.async { self.memory.commit(commit, rebase: rebase, done) }
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    memory.watch { changes in self.queue.async { onChange(changes) } }
  }
}

private struct Count: JSONCodable, Identifiable {
  var id = 0
  var number = 0

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("number", &number)
  }
}
