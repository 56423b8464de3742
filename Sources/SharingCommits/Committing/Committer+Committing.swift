import SharingCore
import WasiStorage

// Sends commits and handles their answers.
extension Committer {
  /// Completes the steps of a turn: writes the journal and commits.
  func turnEnds() {
    lock.withLock { openStep += 1 }
    writeJournal()
    commit()
  }

  /// Commits the complete turns, unless a commit is under way.
  func commit() {
    recoverAgain()
    if !commitOwn() { applyHeldChanges() }
  }

  /// - Returns: Whether no change waits for the recovery.
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
    let entries = values.compactMap { $0.entry(through: through) }
    if entries.isEmpty || waitsForRecovery {
      isCommitting = false
      return nil
    }
    return Commit(client: client, after: committedStep, through: through, entries: entries)
  }

  /// Returns new entries for a commit, with its steps applied to the stored values.
  private func rebase(
    _ commit: Commit, _ stored: [StoredRevision], _ applied: Int
  ) -> [CommitEntry] {
    var entries: [CommitEntry] = []
    for stored in stored {
      guard let value = lock.withLock({ value(named: stored.key) }) else { continue }
      do throws(StorageError) {
        entries += try value.rebase(onto: stored, after: applied, through: commit.through)
      } catch {
        // One value's error does not hold up the others.
        entries.append(value.refuse(through: commit.through, error))
      }
    }
    return entries
  }

  /// - Returns: Whether to continue with the next commit; false after a failure or a doubt.
  private func handle(_ answer: CommitAnswer, to commit: Commit) -> Bool {
    switch answer {
    case .accepted(let stored, let applied):
      // Another program may have recovered our journal and committed more of it.
      if hasOthers(than: stored, through: applied) {
        lock.withLock { isInDoubt = true }
        resolveDoubt()
        return false
      }
      accept(stored, through: applied)
      // Do not wait for the last commit: others may always follow.
      takeHeldChanges()
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
      for value in values {
        guard let error = value.replayError else { continue }
        replayError = error
        refused += value.removeRefused(through: through)
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

  /// Keeps the steps up to a number pending and reports the error. They are committed with the next
  /// turn, or after a delay.
  func postpone(_ error: StorageError, through: Int, _ body: () -> Void = {}) {
    var postponed: [PendingStep] = []
    lock.withLock {
      for value in values {
        if let recovery = value.recovery, isHeld(value.name) { postponed.append(recovery) }
        postponed += value.steps.filter { $0.number <= through }
      }
    }
    batch {
      for step in postponed { step.request = step.request?.postponed(error) }
      lock.withLock(body)
    }
    retries.start { self.commit() }
  }
}
