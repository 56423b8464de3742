import SharingCore
import WasiStorage

// Chooses the next request, sends commits, and handles their answers.
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
    retry()
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

  // MARK: The next request

  /// Continues, and repeats failed requests and held journals.
  /// - Parameter leavesSteps: Whether complete steps are left to the thread that has made them.
  func retry(leavesSteps: Bool = false) {
    lock.withLock {
      machine.retry()
      recovery.releaseHeld()
    }
    advance(leavesSteps: leavesSteps)
  }

  /// Takes over changes of other programs and sends the next request, unless one is under way.
  func advance(leavesSteps: Bool = false) {
    takeHeldChanges()
    holdUnreadable()
    let request = lock.withLock {
      selectJournals()
      var work = work
      work.leavesSteps = leavesSteps
      return machine.next(work)
    }
    switch request {
    case .commit: send(lock.withLock { nextCommit() })
    case .ask: askForSteps()
    case .recover: recoverNext()
    case nil: break
    }
  }

  /// The remaining work. The lock is held.
  var work: CommitMachine.Work {
    let pending = values.filter { $0.isPending }
    return CommitMachine.Work(
      hasSteps: !pending.isEmpty,
      areStepsBlocked: pending.contains { recovery.has($0.name) },
      // After the environment's end there are no values, and the journals stay.
      hasJournal: isWatching && !values.isEmpty && recovery.next != nil,
      hasHeldChanges: heldChanges.contains { mayContainSteps($0) })
  }

  // MARK: Commits

  /// Returns a commit of the complete steps. The lock is held.
  private func nextCommit() -> Commit {
    let through = openStep - 1
    let entries = values.compactMap { $0.entry(through: through) }
    return Commit(client: client, after: committedStep, through: through, entries: entries)
  }

  private func send(_ commit: Commit) {
    store.commit(commit) {
      self.rebase(commit, $0, $1)
    } _: {
      self.handle($0, to: commit)
    }
  }

  /// Returns new entries for a commit, with its steps applied to the stored values; nil if one of
  /// them is of another release, and changes can wait for that, or if the steps wait already.
  private func rebase(
    _ commit: Commit, _ stored: [StoredRevision], _ applied: Int
  ) -> [CommitEntry]? {
    var entries: [CommitEntry] = []
    var mustWait = lock.withLock { client != commit.client }
    for stored in stored {
      guard let value = lock.withLock({ value(named: stored.key) }),
        lock.withLock({ value.has(commit) })
      else { continue }
      do throws(StorageError) {
        entries += try value.rebase(onto: stored, after: applied, through: commit.through)
      } catch {
        if journal != nil, error.reason.isOfOtherRelease {
          mustWait = true
        } else {
          // One value's error does not hold up the others.
          entries += value.refuse(onto: stored, through: commit.through, error)
        }
      }
    }
    return mustWait ? nil : entries.listing(in: stored, "\(commit.client).\(commit.through)")
  }

  private func handle(_ answer: CommitAnswer, to commit: Commit) {
    switch answer {
    case .accepted(let stored, let applied): accept(stored, through: applied)
    case .conflict(let stored, let applied):
      if let entries = rebase(commit, stored, applied) {
        return send(
          Commit(client: client, after: applied, through: commit.through, entries: entries))
      }
      // Changes of values of another release leave the commit before the others are sent: the
      // store takes the last number of a commit as that of all changes before it.
      if applied > lock.withLock({ committedStep }) {
        accept(stored, through: applied)
      } else {
        lock.withLock { machine.ended(.answered) }
      }
    case .failed(let error): return fail(error, through: commit.through)
    }
    advance()
  }

  /// Takes over the stored values after this program's steps up to a number, and ends the request.
  func accept(_ stored: [StoredRevision], through: Int) {
    var saves: [Receiver] = []
    var changed: [CommittedValue] = []
    var refused: [Receiver] = []
    var replayError: StorageError?
    let isWhole = lock.withLock {
      // Another program may have recovered our journal and committed more of it.
      guard !hasOthers(than: stored, through: through) else {
        machine.ended(.answeredInPart)
        return false
      }
      committedStep = through
      if through > 0 { hasStored = true }
      for stored in stored {
        guard let value = value(named: stored.key), value.replayError == nil else { continue }
        saves += value.accept(stored, through: through)
        if !value.isCurrent { changed.append(value) }
      }
      for value in values {
        guard let error = value.replayError else { continue }
        replayError = error
        refused += value.removeRefused(through: through)
      }
      return true
    }
    guard isWhole else { return }
    retries.stop()
    tidyLater()
    batch {
      for value in changed { value.show() }
      for save in saves { save.answer(nil) }
      for save in refused { save.answer(replayError) }
    }
    // Changes that observers have made meanwhile form the next commit.
    lock.withLock { machine.ended(.answered) }
  }

  /// Whether stored steps belong to values that the answer lacks: another program has recovered
  /// them. The lock is held.
  private func hasOthers(than stored: [StoredRevision], through step: Int) -> Bool {
    values.contains { value in
      guard let first = value.steps.first, first.number <= step, value.replayError == nil
      else { return false }
      return !stored.contains { $0.key == value.name }
    }
  }

  /// Ends a request that has failed. The steps stay pending until a retry.
  func fail(_ error: StorageError, through: Int) {
    batch {
      postpone(error, through: through)
      lock.withLock { machine.ended(.failed) }
    }
    retries.start { self.retry() }
  }

  /// Reports that steps up to a number stay pending because of an error.
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
