import SharingCore
import WasiStorage

// Commits the journals of other programs.
extension Committer {
  /// Applies the journals to a copy of the stored value. The result is probably the value that the
  /// programs of this browser showed last: the copy may already contain journaled steps.
  func shown(_ copy: [UInt8]?, of value: CommittedValue) -> [UInt8]? {
    findJournals()
    return lock.withLock { recovery }.text(copy, of: value.name, value.encoded)
  }

  /// Reads the journals of other programs on the first call, and begins to recover those with a key
  /// of this program. Later calls find journals of which a new value is the first with a key.
  func findJournals() {
    guard let journal else { return }
    let found = lock.withLock { recovery.isUnread } ? journal.others() : []
    let isWatching = lock.withLock {
      recovery.setRead(found)
      selectJournals()
      return self.isWatching
    }
    if isWatching { advance() }
  }

  /// Begins to recover the found journals with a key of this program. Those that began later than
  /// its own one wait until that has no steps: their changes may depend on it. The lock is held.
  func selectJournals() {
    recovery.select(upTo: hasJournaledSteps ? journalOrder : .max) { value(named: $0) != nil }
  }

  /// Commits changes that an ended program has shown but not committed (rule R28). If that program
  /// still runs, its changes are also stored once: the store recognizes its steps. But only that
  /// program can run its updates again. After a conflict, it has one second to do so.
  func recoverNext() {
    guard let steps = lock.withLock({ recovery.next }) else { return }
    recover(steps, steps.commit)
  }

  private func recover(_ steps: JournaledSteps, _ commit: Commit) {
    store.commit(commit) {
      if case .entries(let entries) = self.rebase(steps, $0, $1) { entries } else { nil }
    } _: { answer in
      switch answer {
      case .accepted(let stored, _): self.endRecovery(of: steps, stored)
      case .conflict(let stored, let applied):
        switch self.rebase(steps, stored, applied) {
        case .entries(let entries):
          let next = Commit(
            client: commit.client, after: applied, through: commit.through, entries: entries)
          self.recover(steps, next)
        case .leftToOwnProgram:
          self.lock.withLock { self.machine.ended(.left) }
          self.waitForOthers()
        case .unreadable(let error):
          if self.isForOthers(steps) {
            self.leave(steps)
          } else {
            self.hold(steps, untilAnotherRelease: error)
          }
        }
      case .failed(let error):
        self.hold(steps, error)
        self.retries.start { self.retry() }
      }
    }
  }

  private func rebase(
    _ steps: JournaledSteps, _ stored: [StoredRevision], _ applied: Int
  ) -> JournaledSteps.Rebased {
    let isAlone = lock.withLock { recovery.othersHadTime } || steps.waits
    return steps.rebase(onto: stored, after: applied, isAlone: isAlone, encoded)
  }

  private func encoded(_ key: KeyName) -> EncodedValue? {
    lock.withLock { value(named: key)?.encoded }
  }

  // MARK: Journals that wait

  /// Holds a journal until another release can read what is stored and the journal's steps.
  private func hold(_ steps: JournaledSteps, untilAnotherRelease error: StorageError) {
    let isNew = lock.withLock {
      for value in values where steps.has(value.name) { value.obstacle = error }
      return recovery.beginToWait(steps)
    }
    holdUnreadable()
    hold(steps, waitingError(error, isKept: writeWaiting()))
    if isNew, !isOwn(steps) { ringBell() }
  }

  /// Whether the steps wait for a program that can read the stored value, and only programs of
  /// another release can read the steps. This program has never shown them.
  private func isForOthers(_ steps: JournaledSteps) -> Bool {
    steps.waits && !isOwn(steps) && !steps.areReadable(encoded)
  }

  /// Leaves a journal to programs of another release, and continues with the next one.
  private func leave(_ steps: JournaledSteps) {
    endJournal(steps)
    showRecovered()
    lock.withLock { machine.ended(.answered) }
    retry()
  }

  /// Holds a journal that cannot be stored now, reports that to the changes that wait for it, and
  /// continues with the others.
  private func hold(_ steps: JournaledSteps, _ error: StorageError) {
    let through = lock.withLock {
      recovery.hold(steps)
      machine.ended(.answered)
      return recovery.next == nil && work.areStepsBlocked ? Int.max : 0
    }
    postpone(error, through: through)
    advance()
  }

  private func waitForOthers() {
    if !stores.clockForKey.call(after: 1000, { self.recoverAlone() }) { recoverAlone() }
  }

  /// Recovers a journal whose own program has had its time.
  private func recoverAlone() {
    lock.withLock {
      recovery.othersHadTime = true
      machine.ended(.answered)
    }
    retry()
  }

  // MARK: Journals that are stored

  /// Ends the recovery of a stored journal, and continues with the next one. Its result is shown as
  /// a change by another program.
  private func endRecovery(of steps: JournaledSteps, _ stored: [StoredRevision]) {
    if !isOwn(steps) { journal?.remove(steps) }
    endJournal(steps)
    lock.withLock {
      hasStored = true
      heldChanges += stored
    }
    takeHeldChanges(isAnswered: true)
    showRecovered()
    lock.withLock {
      machine.ended(stored.contains { mayContainSteps($0) } ? .answeredInPart : .answered)
    }
    retry()
  }

  /// Shows the values that no journal holds back any more.
  func showRecovered() {
    let recovered = lock.withLock {
      values.filter { !($0.isCurrent && $0.obstacle == nil) && !recovery.has($0.name) }
    }
    batch {
      for value in recovered { value.show() }
    }
  }

  /// Removes a stored journal, and answers the saves that waited for it.
  func endJournal(_ steps: JournaledSteps) {
    lock.withLock { recovery.end(steps) }
    if isOwn(steps) { writeJournal() }
    answerJournaledSaves()
  }

  /// Answers the saves that waited for journals that are stored.
  func answerJournaledSaves() {
    var saved: [Receiver] = []
    lock.withLock {
      for value in values where !recovery.has(value.name) {
        if let save = value.journaledSave { saved.append(save) }
        value.journaledSave = nil
      }
    }
    for save in saved { save.answer(nil) }
  }
}
