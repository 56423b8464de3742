import SharingCore
import WasiStorage

/// Commits a program's changes to the keys of one revision store. One turn is one commit, and one
/// commit is under way at a time. Turns that end meanwhile form the next commit (rule R27).
final class Committer: @unchecked Sendable {
  let store: any RevisionStore
  let lock = Lock()
  /// The step number of the current turns. Guarded by the lock, as the properties below.
  var openStep = 1
  /// The number of the last stored step.
  var committedStep = 0
  /// Whether a step of this program is stored, or of a program that it recovered. Before that, a
  /// replaced change is not its loss.
  var hasStored = false
  var isCommitting = false
  /// Whether the last commit failed, so that it may or may not be stored.
  var isInDoubt = false
  /// A commit to retry, with entries rebased on the stored values.
  var next: Commit?
  /// Changes by other programs that arrived during our commit. They are applied after its answer.
  var heldChanges: [StoredRevision] = []
  var values: [CommittedValue] = []
  /// The latest known copies of replaced or corrupt values that other programs made. `ownCopies`
  /// has the latest ones made here, without bytes.
  var copies = CommitRecords()
  var ownCopies: [StoredRevision] = []
  private var subscription: SharedSubscription?
  var isWatching = false
  /// Uncommitted journals of other programs of this browser, the oldest first; nil before they are
  /// read. They are older than the changes here, so these wait for them.
  var journals: [JournaledSteps]?
  /// The clients with a journal that could not be stored, or that waits for such a journal.
  var heldJournals: [UTF8Text] = []
  /// Journals without a key of this program, such as those of another app at this address. They are
  /// left alone until a value has one of their keys.
  var foreignJournals: [JournaledSteps] = []
  /// A recovered journal that is committed but not yet taken over; its effect is already visible.
  var recovered: JournaledSteps?
  /// Whether to retry the recovery: a journal could not be stored, or its program had time to
  /// commit it.
  var hasRecoveryFailed = false
  /// Whether the programs with journals had time to commit them, if they still run.
  var hasWaitedForOthers = false
  let client: UTF8Text
  /// Keeps steps beyond the program's end, for a store that answers later.
  let journal: Journal?
  /// The number of the journal entry that is written last. Guarded by the lock.
  var entryNumber = 0
  let clock: () -> any SaveClock
  /// Whether `tidy()` is scheduled. Guarded by the lock.
  var isTidying = false
  let retries: RetryTimer

  init(
    _ store: any RevisionStore, as client: UTF8Text, _ journal: Journal?,
    _ clock: @escaping () -> any SaveClock
  ) {
    self.store = store
    self.client = client
    self.journal = journal
    self.clock = clock
    retries = RetryTimer(clock)
  }

  /// Returns the connection of a key, nil if it has one for another type of value.
  func value(
    _ id: RevisionKeyID, adopting old: Adoption?, _ coding: AnyStorageCoding
  ) -> CommittedValue? {
    lock.withLock {
      if let value = value(named: id.name) {
        return value.coding.valueType.isSame(as: coding.valueType) ? value : nil
      }
      let value = CommittedValue(id.name, id.label, adopting: old, coding, self)
      values.append(value)
      return value
    }
  }

  /// Returns the value of a key, if there is one. The lock is held.
  func value(named name: KeyName) -> CommittedValue? {
    values.first { $0.name == name }
  }

  /// Watches for commits of other programs, from the first call on, and begins the recovery.
  func watch() {
    let isFirst = lock.withLock {
      defer { isWatching = true }
      return !isWatching
    }
    guard isFirst else { return }
    let subscription = store.watch { self.receive($0) }
    lock.withLock { self.subscription = subscription }
    recover()
  }

  /// Whether the store's last step of this client is already counted as stored. The lock is held.
  func knows(_ applied: Int?) -> Bool { applied ?? committedStep <= committedStep }

  /// Cancels the subscription and drops the values, at the environment's end.
  func end() {
    subscription?.cancel()
    lock.withLock { values = [] }
  }

  /// The last known stored revisions of all values. The lock is held.
  var bases: [StoredRevision] {
    values.compactMap { $0.base }.filter { $0.revision > 0 }
  }
}

extension UTF8Text {
  /// A random name, unique among clients.
  static var randomName: UTF8Text {
    "\(Int.random(in: 0 ... .max))-\(Int.random(in: 0 ... .max))"
  }
}
