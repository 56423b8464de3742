import SharingCore

/// Commits what a program has changed under the keys of one revision store: one turn is one commit,
/// one commit is under way, and what comes meanwhile is one commit after it (rule R27).
final class Committer: @unchecked Sendable {
  let store: any RevisionStore
  let lock = Lock()
  /// The number of the steps that the turns under way make. Guarded by the lock, as what follows.
  var openStep = 1
  /// The number of the last step that is stored.
  var committedStep = 0
  /// Whether something of this program is stored, or of one that it has recovered: else what others
  /// have replaced is no loss of it.
  var hasStored = false
  var isCommitting = false
  /// Whether the last commit has failed: it may be stored, or not.
  var isInDoubt = false
  /// A commit to be tried again, made anew on what is stored.
  var next: Commit?
  /// What others have stored while a commit was under way: its answer comes first.
  var heldChanges: [StoredRevision] = []
  var values: [CommittedValue] = []
  /// The copies of what was replaced or corrupt that others have made, the last ones known; and
  /// the last ones that were made here, without their bytes.
  var copies = CommitRecords()
  var ownCopies: [StoredRevision] = []
  private var subscription: SharedSubscription?
  var isWatching = false
  /// What other programs of this browser have journaled, the oldest first, until it is stored; nil
  /// before it was looked for. It is older than what is changed here, so that waits for it.
  var journals: [JournaledSteps]?
  /// The clients whose journals could not be stored, or wait for one that could not.
  var heldJournals: [UTF8Text] = []
  /// Journals of programs with other keys only, such as of another app in this place: they are left
  /// alone until a value has one of their keys.
  var foreignJournals: [JournaledSteps] = []
  /// One of them that is stored, until what is stored is taken over: what it has made is shown.
  var recovered: JournaledSteps?
  /// Whether the first one could not be stored.
  var hasRecoveryFailed = false
  /// Whether those that have journaled something have had the time to store it themselves, if they
  /// still run.
  var hasWaitedForOthers = false
  let client: UTF8Text
  /// Where steps survive the program's end, for a store that answers later.
  let journal: Journal?
  /// The number of the journal entry that is written last. Guarded by the lock.
  var entryNumber = 0
  let clock: () -> any SaveClock
  /// Whether what is kept is to be tidied in a while. Guarded by the lock.
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

  /// The connection of a key, the same one for as long as the program runs: what is pending
  /// outlives the value.
  func value(
    _ name: KeyName, _ label: KeyLabel, adopting old: Adoption?,
    _ coding: () -> AnyStorageCoding
  ) -> CommittedValue {
    lock.withLock {
      if let value = value(named: name) { return value }
      let value = CommittedValue(name, label, adopting: old, coding(), self)
      values.append(value)
      return value
    }
  }

  /// The value of a key, if there is one. The lock is held.
  func value(named name: KeyName) -> CommittedValue? {
    values.first { $0.name == name }
  }

  /// Hears what others commit, from the first value on.
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

  /// Whether the steps up to that one are known to be stored. The lock is held.
  func knows(_ applied: Int?) -> Bool { applied ?? committedStep <= committedStep }

  /// The environment goes.
  func end() {
    subscription?.cancel()
    lock.withLock { values = [] }
  }

  /// What is known to be stored, of all values. The lock is held.
  var bases: [StoredRevision] {
    values.compactMap { $0.base }.filter { $0.revision > 0 }
  }
}

extension UTF8Text {
  /// A name that nobody else has.
  static var randomName: UTF8Text {
    "\(Int.random(in: 0 ... .max))-\(Int.random(in: 0 ... .max))"
  }
}
