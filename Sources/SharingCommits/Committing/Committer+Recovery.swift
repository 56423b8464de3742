import SharingCore
import WasiStorage

// Commits the journals of other programs.
extension Committer {
  /// Whether changes of this program wait for the recovery. After a failed recovery, they wait only
  /// if one is to a journaled value. The lock is held.
  var waitsForRecovery: Bool {
    guard recovery.hasFailed else { return recovery.isRunning }
    return values.contains { !$0.steps.isEmpty && recovery.has($0.name) }
  }

  /// Applies the journals to a copy of the stored value. The result is probably the value that the
  /// programs of this browser showed last: the copy may already contain journaled steps.
  func shown(_ copy: [UInt8]?, of value: CommittedValue) -> [UInt8]? {
    findJournals()
    return lock.withLock { recovery }.text(copy, of: value.name, value.coding)
  }

  /// Reads the journals of other programs on the first call, and begins to recover those with a key
  /// of this program. Later calls find journals of which a new value is the first with a key.
  func findJournals() {
    guard let journal else { return }
    let found = lock.withLock { recovery.isUnread } ? journal.others() : []
    let isBeginning = lock.withLock {
      let wasRunning = recovery.isRunning
      recovery.setRead(found)
      recovery.select { value(named: $0) != nil }
      return isWatching && !wasRunning && recovery.isRunning
    }
    if isBeginning { recover() }
  }

  /// Commits changes that ended programs have shown but not committed (rule R28). If such a program
  /// still runs, its changes are also stored once: the store recognizes its steps. But only that
  /// program can run its updates again. After a conflict, it has one second to do so.
  func recover() {
    if lock.withLock({ recovery.isRunning }) { recoverFirst() }
  }

  /// Retries the recovery after a failure of the store. Ignores journals that were begun meanwhile:
  /// they are not older than the changes of this program.
  func recoverAgain() {
    let hasFailed = lock.withLock {
      // After the environment's end there are no values, and the journals stay.
      guard recovery.hasFailed, !values.isEmpty else { return false }
      recovery.state = .committing
      return true
    }
    if hasFailed { recoverFirst() }
  }

  /// Recovers the first journal. If none is left, commits the changes that waited. Shows the values
  /// that no journal holds back any more.
  func recoverFirst() {
    let first = lock.withLock { recovery.begin() }
    if first == nil {
      commit()
      if lock.withLock({ recovery.mayHaveMore }) { readWaiting() }
    }
    let recovered = lock.withLock {
      values.filter { !$0.isCurrent && !recovery.has($0.name) }
    }
    batch {
      for value in recovered { value.show() }
    }
    if let first { recover(first, first.commit) }
  }

  private func recover(_ steps: JournaledSteps, _ commit: Commit) {
    store.commit(commit) {
      if case .entries(let entries) = self.rebase(steps, $0, $1) { entries } else { nil }
    } _: { answer in
      switch answer {
      case .accepted(let stored, _):
        if !self.isOwn(steps) { self.journal?.remove(steps) }
        self.lock.withLock {
          self.hasStored = true
          self.recovery.state = .stored(steps)
        }
        self.receive(stored)
      case .conflict(let stored, let applied):
        switch self.rebase(steps, stored, applied) {
        case .entries(let entries):
          let next = Commit(
            client: commit.client, after: applied, through: commit.through, entries: entries)
          self.recover(steps, next)
        case .leftToOwnProgram: self.waitForOthers()
        case .unreadable(let error): self.hold(steps, untilAnotherRelease: error)
        }
      case .failed(let error):
        self.hold(steps, error)
        self.retries.start { self.commit() }
      }
    }
  }

  /// Holds a journal that cannot be stored now, and goes on with the next one.
  private func hold(_ steps: JournaledSteps, _ error: StorageError) {
    goOn(after: error, lock.withLock { recovery.hold(steps) })
  }

  /// Holds a journal until another release can read what is stored and the journal's steps.
  private func hold(_ steps: JournaledSteps, untilAnotherRelease error: StorageError) {
    let next = lock.withLock {
      for value in values where steps.has(value.name) { value.obstacle = error }
      return recovery.hold(steps)
    }
    holdUnreadable()
    writeJournal()
    goOn(after: waitingError(error, isKept: true), next)
  }

  private func goOn(after error: StorageError, _ next: JournaledSteps?) {
    postpone(error, through: next != nil || commitOwn() ? 0 : .max)
    if let next { recover(next, next.commit) }
  }

  private func rebase(
    _ steps: JournaledSteps, _ stored: [StoredRevision], _ applied: Int
  ) -> JournaledSteps.Rebased {
    let isAlone =
      lock.withLock { recovery.hasWaitedForOthers } || steps.waitsForAnotherRelease
    return steps.rebase(onto: stored, after: applied, isAlone: isAlone) { key in
      lock.withLock { value(named: key)?.coding }
    }
  }

  private func waitForOthers() {
    let isWaiting = stores.clockForKey.call(after: 1000) {
      // A flush calls this early; the other program has its second all the same.
      if self.stores.isFlushing { self.waitForOthers() } else { self.recoverAlone() }
    }
    if !isWaiting { recoverAlone() }
  }

  /// Recovers a journal whose own program has had its time.
  private func recoverAlone() {
    lock.withLock {
      recovery.hasWaitedForOthers = true
      recovery.state = .failed
    }
    commit()
  }

  /// Ends the recovery of a stored journal, just before its result is taken over. Answers the saves
  /// that waited for it.
  func endRecovery(of steps: JournaledSteps) {
    var saved: [Receiver] = []
    lock.withLock {
      recovery.end(steps)
      for value in values where !recovery.has(value.name) {
        if let save = value.journaledSave { saved.append(save) }
        (value.journaledSave, value.obstacle) = (nil, nil)
      }
    }
    if isOwn(steps) { writeJournal() }
    for save in saved { save.answer(nil) }
  }
}
