import Dispatch
import NativeTesting
import SharingCommits
import SharingCore
import Synchronization
import Testing
import WasiStorage

/// The turns of two threads of one program, each a commit of its own or together with others (rule
/// R27).
@Suite(.timeLimit(.minutes(1))) struct CommitTurnTests {
  private let program = TurnProgram()

  @Test func aTurnIsNotCommittedInHalvesWhenAnotherOneEndsMeanwhile() {
    program.whileSecondIsSaved { program.third.withLock { $0 = 3 } }
    #expect(program.commits == [["third"], ["first", "second"]])
  }

  @Test func aTurnOnTopOfAnOpenOneIsCommittedWithIt() {
    program.whileSecondIsSaved { program.first.withLock { $0 = 10 } }
    #expect(program.commits == [["first", "second"]])
    #expect(program.first.wrappedValue == 10)
    #expect(program.text("first") == "10")
  }

  @Test func aTurnWaitsForAnOpenOneOfOneOfItsValues() {
    program.whileSecondIsSaved {
      batch {
        program.first.withLock { $0 = 10 }
        program.third.withLock { $0 = 30 }
      }
    }
    #expect(program.commits == [["first", "second", "third"]])
  }

  @Test func turnsThatChangeTwoValuesInOppositeOrdersAreOneCommit() {
    program.onSave = {
      batch {
        program.third.withLock { $0 = 30 }
        program.first.withLock { $0 = 10 }
      }
    }
    batch {
      program.first.withLock { $0 = 1 }
      program.second.withLock { $0 = 2 }
      program.third.withLock { $0 = 3 }
    }
    #expect(program.commits == [["first", "second", "third"]])
    #expect(program.text("first") == "10")
    #expect(program.text("third") == program.third.wrappedValue.description)
  }

  @Test func eachTurnOfAThreadIsInOneCommit() {
    for _ in 0..<20 * times {
      let program = TurnProgram()
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        for _ in 0..<200 {
          if index == 1 { program.third.withLock { $0 += 1 } }
          if index == 0 {
            batch {
              program.first.withLock { $0 += 1 }
              program.second.withLock { $0 += 1 }
            }
          }
        }
      }
      #expect(program.commits.allSatisfy { $0.contains("first") == $0.contains("second") })
      #expect(["first", "second", "third"].map { program.text($0) } == ["200", "200", "200"])
    }
  }
}

/// A program with three numbers, which runs an action on another thread when it saves the second
/// one.
private final class TurnProgram: @unchecked Sendable {
  private let environment = SharingEnvironment()
  private let store = TurnStore()
  let (first, second, third): (Shared<Int>, Shared<Int>, Shared<Int>)
  private let saving = Saving()

  /// The action, which ends before the save goes on.
  var onSave: (@Sendable () -> Void)? {
    get { saving.action.withLock { $0 } }
    set { saving.action.withLock { $0 = newValue } }
  }

  init() {
    let (store, saving) = (store, saving)
    let coding = StorageCoding<Int>(
      encode: { number in
        saving.run()
        return Array("\(number)".utf8)
      },
      decode: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 })
    (first, second, third) = environment.run {
      (
        Shared(wrappedValue: 0, .revisions("first", in: store)),
        Shared(wrappedValue: 0, .revisions("second", in: store, coding: coding)),
        Shared(wrappedValue: 0, .revisions("third", in: store))
      )
    }
  }

  /// The keys of each commit.
  var commits: [[String]] { store.commits.withLock { $0 } }

  func text(_ key: KeyName) -> String {
    String(decoding: store.memory.stored(key).bytes ?? [], as: UTF8.self)
  }

  /// Changes the first two values in one turn. Between their saves, another thread runs a turn.
  func whileSecondIsSaved(_ turn: @escaping @Sendable () -> Void) {
    onSave = turn
    batch {
      first.withLock { $0 = 1 }
      second.withLock { $0 = 2 }
    }
  }
}

private final class Saving: Sendable {
  let action = Mutex<(@Sendable () -> Void)?>(nil)

  /// Runs the action, once, on another thread.
  func run() {
    let once = action.withLock { action in
      defer { action = nil }
      return action
    }
    guard let once else { return }
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue(label: "other").async {
      once()
      ended.signal()
    }
    #expect(ended.wait(timeout: .now() + 30) == .success, "The other thread waits.")
  }
}

/// A store in memory that records the keys of each commit.
private final class TurnStore: RevisionStore {
  let memory = MemoryRevisionStore()
  let commits = Mutex<[[String]]>([])

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
    let keys = commit.entries.map { String(decoding: $0.key.bytes, as: UTF8.self) }
    commits.withLock { $0.append(keys.sorted()) }
    memory.commit(commit, rebase: rebase, done)
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    memory.watch(onChange)
  }
}
