import SharingCore
import WasiStorage

// Sends commits and handles their answers.
extension Committer {
  /// Records that the current turn changes or saves a value, until its end. The lock is held.
  func open(_ turn: UInt) {
    if openTurns.contains(turn) { return }
    openTurns.append(turn)
    afterSaves { self.turnEnds(turn) }
  }

  /// Ends a turn: writes the journal and commits.
  func turnEnds(_ turn: UInt) {
    lock.withLock { openTurns.removeAll { $0 == turn } }
    commitNewSteps()
  }

  /// Completes the steps of ended turns, writes the journal and commits.
  func commitNewSteps() {
    lock.withLock { completeSteps() }
    holdUnreadable()
    writeJournal()
    commit()
  }

  /// Completes the steps of ended turns. A turn waits if another thread has not saved its change of
  /// a value yet, or if it has changed a value together with a turn that waits, or after it. The
  /// lock is held.
  private func completeSteps() {
    var waiting = openTurns
    for value in values { waiting += value.unsavedTurns + value.turnsInSave }
    var known: Int
    repeat {
      known = waiting.count
      for value in values { value.addTurns(after: &waiting) }
    } while waiting.count > known
    for value in values { value.completeSteps(as: openStep, except: waiting) }
    openStep += 1
  }

  /// Commits the complete turns, unless a commit is under way.
  func commit() {
    recoverAgain()
    commitOwn()
  }

  /// Commits the complete turns, and takes over changes by other programs if there are no turns.
  /// - Returns: Whether no change waits for the recovery.
  @discardableResult
  func commitOwn() -> Bool {
    let (waits, first) = lock.withLock {
      let waits = waitsForRecovery
      return (waits, waits || isCommitting ? nil : nextCommit())
    }
    if let first { send(first) } else { applyHeldChanges() }
    return !waits
  }

  /// Returns a commit of the complete turns; nil if there are none. The lock is held.
  private func nextCommit() -> Commit? {
    let through = openStep - 1
    let entries = values.compactMap { $0.entry(through: through) }
    guard !entries.isEmpty else { return nil }
    state = .committing
    return Commit(client: client, after: committedStep, through: through, entries: entries)
  }

  /// Sends a commit, and then those that follow from its answer.
  private func send(_ first: Commit) {
    var next: Commit? = first
    while let commit = next {
      let call = CommitCall()
      store.commit(commit) {
        self.rebase(commit, $0, $1)
      } _: { answer in
        if call.isLate(answer), let next = self.handle(answer, to: commit) { self.send(next) }
      }
      guard let answer = call.now() else { return }
      next = handle(answer, to: commit)
    }
  }

  /// Returns new entries for a commit, with its steps applied to the stored values; nil if one of
  /// them is of another release, and changes can wait for that.
  private func rebase(
    _ commit: Commit, _ stored: [StoredRevision], _ applied: Int
  ) -> [CommitEntry]? {
    var entries: [CommitEntry] = []
    var mustWait = false
    for stored in stored {
      guard let value = lock.withLock({ value(named: stored.key) }) else { continue }
      do throws(StorageError) {
        entries += try value.rebase(onto: stored, after: applied, through: commit.through)
      } catch {
        if journal != nil, error.reason.isOfOtherRelease {
          lock.withLock { value.obstacle = error }
          mustWait = true
        } else {
          // One value's error does not hold up the others.
          entries.append(value.refuse(through: commit.through, error))
        }
      }
    }
    return mustWait ? nil : entries
  }

  /// Moves the changes of values of another release out of a commit, before the others are sent:
  /// the store takes the last number of a commit as that of all changes before it.
  private func commitOthers(_ stored: [StoredRevision], _ applied: Int) -> Commit? {
    if applied > lock.withLock({ committedStep }) { accept(stored, through: applied) }
    lock.withLock { state = .idle }
    holdUnreadable()
    writeJournal()
    return nextAfterAnswer()
  }

  private func nextAfterAnswer() -> Commit? {
    // Do not wait for the last commit: others may always follow.
    takeHeldChanges()
    let next = lock.withLock {
      state = .idle
      return waitsForRecovery ? nil : nextCommit()
    }
    if next == nil { applyHeldChanges() }
    return next
  }

  /// - Returns: The next commit; nil if there is none, or after a failure or a doubt.
  private func handle(_ answer: CommitAnswer, to commit: Commit) -> Commit? {
    switch answer {
    case .accepted(let stored, let applied):
      // Another program may have recovered our journal and committed more of it.
      if hasOthers(than: stored, through: applied) {
        lock.withLock { state = .asking }
        resolveDoubt()
        return nil
      }
      accept(stored, through: applied)
      return nextAfterAnswer()
    case .conflict(let stored, let applied):
      guard let entries = rebase(commit, stored, applied) else {
        return commitOthers(stored, applied)
      }
      return Commit(client: client, after: applied, through: commit.through, entries: entries)
    case .failed(let error):
      batch {
        postpone(error, through: commit.through)
        lock.withLock { state = .doubtful }
      }
      retries.start { self.commit() }
      return nil
    }
  }

  func accept(_ stored: [StoredRevision], through: Int) {
    var saves: [Receiver] = []
    var changed: [CommittedValue] = []
    var refused: [Receiver] = []
    var replayError: StorageError?
    lock.withLock {
      committedStep = through
      if through > 0 { hasStored = true }
      for stored in stored {
        guard let value = value(named: stored.key) else {
          copies.setOwn(stored)
          continue
        }
        saves += value.accept(stored, through: through)
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
      for save in saves { save.answer(nil) }
      for save in refused { save.answer(replayError) }
    }
  }

  /// Keeps the steps up to a number pending and reports the error. They are committed with the next
  /// turn, or after a delay.
  func postpone(_ error: StorageError, through: Int) {
    var postponed: [Receiver] = []
    lock.withLock {
      for value in values {
        if let save = value.journaledSave, recovery.holds(value.name) { postponed.append(save) }
        for step in value.steps where step.number <= through {
          if let save = step.save { postponed.append(save) }
        }
      }
    }
    batch {
      for save in postponed { save.postpone(error) }
    }
  }
}

/// A call of a store's `commit`. The answer may arrive before the call returns, or later.
final class CommitCall: @unchecked Sendable {
  private let lock = Lock()
  private var answer: CommitAnswer?
  private var hasReturned = false

  /// Records the answer and returns whether it arrived after the call returned.
  func isLate(_ answer: CommitAnswer) -> Bool {
    lock.withLock {
      self.answer = answer
      return hasReturned
    }
  }

  /// Records that the call has returned, and returns the answer if it is already there.
  func now() -> CommitAnswer? {
    lock.withLock {
      hasReturned = true
      return answer
    }
  }
}
