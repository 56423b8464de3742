import SharingCore

/// Commits what a program has changed under the keys of one revision store: one turn is one commit,
/// one commit is under way, and what comes meanwhile is one commit after it (rule R27).
final class Committer: @unchecked Sendable {
  let store: any RevisionStore
  let lock = Lock()
  /// The number of the steps that the turns under way make. Guarded by the lock, as what follows.
  private(set) var openStep = 1
  /// The number of the last step that is stored.
  private(set) var committedStep = 0
  /// Whether something of this program is stored, or of one that it has recovered: else what others
  /// have replaced is no loss of it.
  var hasStored = false
  var isCommitting = false
  /// Whether the last commit has failed: it may be stored, or not.
  var isInDoubt = false
  /// A commit to be tried again, made anew on what is stored.
  private var next: Commit?
  /// What others have stored while a commit was under way: its answer comes first.
  var heldChanges: [StoredRevision] = []
  var values = ObjectList<CommittedValue>()
  /// The copies of what was replaced or corrupt that others have made, the last ones known; and
  /// the last ones that were made here, without their bytes.
  var copies = CommitRecords()
  var ownCopies: [StoredRevision] = []
  private var subscription: SharedSubscription?
  private var isWatching = false
  /// What other programs of this browser have journaled, the oldest first, until it is stored; nil
  /// before it was looked for. It is older than what is changed here, so that waits for it.
  var journals: [JournaledSteps]?
  /// Whether the first one could not be stored.
  var hasRecoveryFailed = false
  /// Whether those that have journaled something have had the time to store it themselves, if they
  /// still run.
  var hasWaitedForOthers = false
  let client: UTF8Text
  /// Where steps survive the program's end, for a store that answers later.
  let journal: Journal?
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
    for index in 0..<values.count where values[index].name == name { return values[index] }
    return nil
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

  /// Whether that is the last step known to be stored. The lock is held.
  func knows(_ applied: Int?) -> Bool { applied ?? committedStep == committedStep }

  /// The environment goes.
  func end() {
    subscription?.cancel()
    let values = lock.withLock {
      defer { self.values = ObjectList() }
      return self.values
    }
    values.free()
  }

  /// What is known to be stored, of all values. The lock is held.
  var bases: [StoredRevision] {
    var bases: [StoredRevision] = []
    for index in 0..<values.count {
      if let base = values[index].base, base.revision > 0 { bases.append(base) }
    }
    return bases
  }

  // MARK: Committing

  /// The steps of a turn are complete.
  func turnEnds() {
    lock.withLock { openStep += 1 }
    writeJournal()
    commit()
  }

  /// Commits what is complete, unless a commit is under way.
  func commit() {
    recoverAgain()
    commitOwn()
  }

  /// - Returns: Whether nothing has to wait for what is to be recovered.
  @discardableResult
  func commitOwn() -> Bool {
    let (waits, isFirst) = lock.withLock {
      let waits = waitsForRecovery
      defer { isCommitting = isCommitting || !waits }
      return (waits, !waits && !isCommitting)
    }
    if isFirst { commitAll() }
    return !waits
  }

  private func commitAll() {
    while let commit = lock.withLock({ nextCommit() }) {
      let answer = CommitCall()
      store.commit(commit) {
        self.rebase(commit, $0, $1)
      } _: {
        if answer.isLate($0), self.handle($0, to: commit) { self.commitAll() }
      }
      guard let answer = answer.now(), handle(answer, to: commit) else { return }
    }
    applyHeldChanges()
  }

  /// The lock is held.
  private func nextCommit() -> Commit? {
    if let next {
      self.next = nil
      return next
    }
    let through = openStep - 1
    var entries: [CommitEntry] = []
    for index in 0..<values.count {
      if let entry = values[index].entry(through: through) { entries.append(entry) }
    }
    if entries.isEmpty || waitsForRecovery {
      isCommitting = false
      return nil
    }
    return Commit(client: client, after: committedStep, through: through, entries: entries)
  }

  /// What is not committed. The lock is held.
  func journaledSteps() -> JournaledSteps {
    let steps = JournaledSteps(of: client, order, after: committedStep)
    for index in 0..<values.count {
      for step in values[index].steps { steps.append(step, of: values[index]) }
    }
    return steps
  }

  /// Makes the entries of a commit again on what is stored.
  private func rebase(
    _ commit: Commit, _ stored: [StoredRevision], _ applied: Int
  ) -> [CommitEntry] {
    var entries: [CommitEntry] = []
    for stored in stored {
      guard let value = lock.withLock({ value(named: stored.key) }) else { continue }
      do throws(StorageError) {
        entries += try value.rebase(onto: stored, after: applied, through: commit.through)
      } catch {
        // The others are not held up.
        entries.append(value.refuse(through: commit.through, error))
      }
    }
    return entries
  }

  /// - Returns: Whether to go on; not after a failure.
  private func handle(_ answer: CommitAnswer, to commit: Commit) -> Bool {
    switch answer {
    case .accepted(let stored, let applied):
      // Another program may have committed more of the journal.
      if hasOthers(than: stored, through: applied) {
        lock.withLock { isInDoubt = true }
        resolveDoubt()
        return false
      }
      accept(stored, through: applied)
      return true
    case .conflict(let stored, let applied):
      let entries = rebase(commit, stored, applied)
      lock.withLock {
        isInDoubt = false
        next = Commit(
          client: client, after: applied, through: commit.through, entries: entries)
      }
      return true
    case .failed(let error):
      fail(error, commit)
      return false
    }
  }

  func accept(_ stored: [StoredRevision], through: Int) {
    var requests: [SaveRequest] = []
    var changed: [CommittedValue] = []
    var refused: [SaveRequest] = []
    var replayError: StorageError?
    lock.withLock {
      isInDoubt = false
      committedStep = through
      if through > 0 { hasStored = true }
      for stored in stored {
        guard let value = value(named: stored.key) else {
          ownCopies.append(StoredRevision(key: stored.key, revision: stored.revision))
          if ownCopies.count > 16 { ownCopies.remove(at: 0) }
          continue
        }
        requests += value.accept(stored, through: through)
        if !value.isCurrent { changed.append(value) }
      }
      for index in 0..<values.count {
        guard let error = values[index].replayError else { continue }
        replayError = error
        refused += values[index].removeRefused(through: through)
      }
    }
    retries.stop()
    tidyLater()
    batch {
      for value in changed { value.show() }
      for request in requests { request.answer(nil) }
      for request in refused { request.answer(replayError) }
    }
  }

  private func fail(_ error: StorageError, _ commit: Commit) {
    postpone(error, through: commit.through) {
      isCommitting = false
      isInDoubt = true
    }
  }

  /// The steps up to a number stay, and are committed with the next turn, or after a while.
  func postpone(_ error: StorageError, through: Int, _ body: () -> Void = {}) {
    var postponed: [PendingStep] = []
    lock.withLock {
      for index in 0..<values.count {
        if let recovery = values[index].recovery { postponed.append(recovery) }
        postponed += values[index].steps.filter { $0.number <= through }
      }
    }
    batch {
      for step in postponed { step.request = step.request?.postponed(error) }
      lock.withLock(body)
    }
    retries.start { self.commit() }
  }
}

extension UTF8Text {
  /// A name that nobody else has.
  static var randomName: UTF8Text {
    "\(Int.random(in: 0 ... .max))-\(Int.random(in: 0 ... .max))"
  }
}
