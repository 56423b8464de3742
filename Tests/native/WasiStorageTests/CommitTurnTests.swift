import Conformance
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

  @Test func aBatchThatChangesAValueWithinAnotherOneIsCommittedWithIt() {
    batch {
      program.first.withLock { $0 = 1 }
      onAnotherThread {
        batch {
          program.first.withLock { $0 += 10 }
          program.third.withLock { $0 = 30 }
        }
      }
      program.second.withLock { $0 = 2 }
    }
    #expect(program.commits == [["first", "second", "third"]])
    #expect(program.text("first") == "11")
  }

  @Test func aBatchThatEndsAfterAnotherOneOfItsValueIsCommittedWithIt() {
    let other = PausedThread()
    batch {
      program.first.withLock { $0 = 1 }
      other.start { pause in
        batch {
          program.first.withLock { $0 += 10 }
          pause()
          program.third.withLock { $0 = 30 }
        }
      }
      program.second.withLock { $0 = 2 }
    }
    #expect(program.commits == [])
    other.finish()
    #expect(program.commits == [["first", "second", "third"]])
    #expect(program.text("first") == "11")
  }

  @Test func anUpdateOnTopOfAnOpenBatchIsCommittedWithIt() {
    batch {
      program.first.withLock { $0 = 1 }
      onAnotherThread { program.first.update { $0 += 10 } }
      program.second.withLock { $0 = 2 }
    }
    #expect(program.commits == [["first", "second"]])
    #expect(program.text("first") == "11")
  }

  @Test func aSaveWithinAnotherThreadsBatchWaitsForThatBatch() {
    let isSaved = Mutex(false)
    batch {
      program.first.withLock { $0 = 1 }
      onAnotherThread { program.first.save { _ in isSaved.withLock { $0 = true } } }
      #expect(!isSaved.withLock { $0 })
      program.second.withLock { $0 = 2 }
    }
    #expect(isSaved.withLock { $0 })
    #expect(program.commits == [["first", "second"]])
  }

  @Test func aBatchThatEndsWhileItsValueIsBeingSavedIsCommittedWithIt() {
    let other = PausedThread()
    program.onSave = { other.finish() }
    batch {
      program.second.withLock { $0 = 2 }
      other.start { pause in
        batch {
          program.second.withLock { $0 += 20 }
          program.third.withLock { $0 = 30 }
          pause()
        }
      }
    }
    #expect(program.commits == [["second", "third"]])
    #expect(program.text("second") == "22")
  }

  @Test func aChangeThatAnotherThreadSavesIsCommittedWithItsTurn() {
    program.onSave = {
      batch {
        program.first.withLock { $0 = 10 }
        program.second.withLock { $0 = 20 }
      }
    }
    program.second.withLock { $0 = 2 }
    #expect(program.commits == [["first", "second"]])
    #expect(program.text("second") == "20")
  }

  @Test func aBatchDoesNotWaitForAValueThatCannotBeSaved() {
    program.second.withLock { $0 = -1 }
    #expect(program.second.saveError != nil)
    batch {
      program.second.withLock { $0 = -2 }
      onAnotherThread {
        batch {
          program.second.withLock { $0 = -3 }
          program.third.withLock { $0 = 30 }
        }
      }
    }
    #expect(program.commits == [["third"]])
  }

  @Test func aBatchDoesNotWaitForAValueThatChangesInEachSave() {
    program.onEachSave = { [program] in program.second.withLock { $0 += 1 } }
    program.environment.onIssue = { _ in }
    program.environment.run {
      batch {
        program.second.withLock { $0 = 2 }
        program.third.withLock { $0 = 30 }
      }
    }
    #expect(program.text("third") == "30")
    program.onEachSave = nil
  }

  @Test func turnsOfTwoThreadsThatChangeOneValueAreNeverCommittedInHalves() {
    for _ in 0..<20 * times {
      let program = TurnProgram()
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        for number in 0..<200 {
          batch {
            // In either order, and as both kinds of change.
            if number % 2 == 0 { program.first.withLock { $0 += 1 } }
            (index == 0 ? program.second : program.third).withLock { $0 += 1 }
            if number % 2 == 1 { program.first.update { $0 += 1 } }
          }
        }
      }
      #expect(program.sumIsAlwaysStored)
      #expect(["first", "second", "third"].map { program.text($0) } == ["400", "200", "200"])
    }
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
  let environment = SharingEnvironment()
  private let store = TurnStore()
  let (first, second, third): (Shared<Int>, Shared<Int>, Shared<Int>)
  private let saving = Saving()

  /// The action, which ends before the save goes on.
  var onSave: (@Sendable () -> Void)? {
    get { saving.action.withLock { $0 } }
    set { saving.action.withLock { $0 = newValue } }
  }

  /// The action of each save, on the thread that saves.
  var onEachSave: (@Sendable () -> Void)? {
    get { saving.eachAction.withLock { $0 } }
    set { saving.eachAction.withLock { $0 = newValue } }
  }

  init() {
    let (store, saving) = (store, saving)
    let coding = StorageCoding<Int>(
      encode: { number in
        saving.run()
        if number < 0 { throw StorageError(.unencodable, key: nil, "It is negative.") }
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
  var commits: [[String]] { store.commits.withLock { $0 }.map { $0.keys.sorted() } }

  /// Whether the first number was the sum of the others after each commit.
  var sumIsAlwaysStored: Bool {
    var stored = ["first": 0, "second": 0, "third": 0]
    return store.commits.withLock { $0 }.allSatisfy { commit in
      stored.merge(commit) { $1 }
      return stored["first"] == stored["second"]! + stored["third"]!
    }
  }

  func text(_ key: KeyName) -> String {
    String(decoding: store.base.stored(key).bytes ?? [], as: UTF8.self)
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
  let eachAction = Mutex<(@Sendable () -> Void)?>(nil)

  /// Runs the action, once, on another thread, and the action of each save.
  func run() {
    eachAction.withLock { $0 }?()
    let once = action.withLock { action in
      defer { action = nil }
      return action
    }
    if let once { onAnotherThread(once) }
  }
}

/// Calls a closure on another thread and waits for its end.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let other = PausedThread()
  other.start { _ in body() }
  other.finish()
}

/// A thread that pauses in the middle of its work.
private final class PausedThread: Sendable {
  private let (paused, resumed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let ended = DispatchSemaphore(value: 0)

  /// Begins the work, and returns when it pauses or has ended.
  func start(_ work: @escaping @Sendable (_ pause: () -> Void) -> Void) {
    DispatchQueue(label: "other").async { [paused, resumed, ended] in
      work {
        paused.signal()
        resumed.wait()
      }
      paused.signal()
      ended.signal()
    }
    #expect(paused.wait(timeout: .now() + 30) == .success, "The other thread waits.")
  }

  /// Goes on after the pause, and returns when the work has ended.
  func finish() {
    resumed.signal()
    #expect(ended.wait(timeout: .now() + 30) == .success, "The other thread waits.")
  }
}

/// A store in memory that records the numbers of each commit.
private final class TurnStore: ForwardingStore {
  let base = MemoryRevisionStore()
  let commits = Mutex<[[String: Int]]>([])

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let numbers = commit.entries.map { entry in
      (entry.key.description, Int(String(decoding: entry.bytes ?? [], as: UTF8.self)) ?? 0)
    }
    commits.withLock { $0.append(Dictionary(uniqueKeysWithValues: numbers)) }
    base.commit(commit, rebase: rebase, done)
  }
}
