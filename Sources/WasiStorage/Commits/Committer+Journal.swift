import SharingCore

extension Committer {
  /// Keeps what is not committed where it survives the program's end.
  func writeJournal() {
    guard let journal else { return }
    journal.write(lock.withLock { journaledSteps() })
  }

  /// Forgets steps that are stored, and keeps copies of what is, in a while: who commits again and
  /// again does not wait for that. Until then a journal does no harm, since the store knows its
  /// steps, and the next turn writes it anyway; a copy is only what shows first.
  func tidyLater() {
    let mustAsk = lock.withLock {
      defer { isTidying = true }
      return journal != nil && !isTidying
    }
    guard mustAsk else { return }
    if !clock().call(after: 1000, { self.tidy() }) { tidy() }
  }

  private func tidy() {
    let bases = lock.withLock {
      isTidying = false
      return self.bases
    }
    // There are none once the environment has ended, and what it has not stored stays.
    guard !bases.isEmpty else { return }
    writeJournal()
    for base in bases { journal?.keepCopy(base) }
  }

  /// Commits what programs have shown that have ended before it was committed (rule R28). That of a
  /// program which has not ended does no harm: the store knows its steps.
  func recover() {
    guard let journal else { return }
    let others = journal.others()
    lock.withLock { recoveries += others.count }
    for steps in others { recover(steps, steps.commit, journal) }
  }

  /// Does it again, where the store has failed.
  func recoverAgain() {
    let mustRecover = lock.withLock {
      // There are no values once the environment has ended, and the journals stay.
      guard self.mustRecover, recoveries == 0, values.count > 0 else { return false }
      self.mustRecover = false
      return true
    }
    if mustRecover { recover() }
  }

  /// Commits what has waited for it, and shows what has, after the last one.
  private func endRecovery(hasFailed: Bool) {
    let (isLast, mustRetry) = lock.withLock {
      recoveries -= 1
      mustRecover = mustRecover || hasFailed
      return (recoveries == 0, mustRecover)
    }
    guard isLast else { return }
    if mustRetry { retries.start { self.retry() } }
    commit()
  }

  private func recover(_ steps: JournaledSteps, _ commit: Commit, _ journal: Journal) {
    store.commit(commit) { (stored, applied) throws(StorageError) in
      steps.rebase(onto: stored, after: applied)
    } _: { answer in
      switch answer {
      case .accepted(let stored, _):
        journal.remove(steps)
        self.receive(stored)
        self.endRecovery(hasFailed: false)
      case .conflict(let stored, let applied):
        let entries = steps.rebase(onto: stored, after: applied)
        let next = Commit(
          client: commit.client, after: applied, through: commit.through, entries: entries)
        self.recover(steps, next, journal)
      case .failed: self.endRecovery(hasFailed: true)
      }
    }
  }
}
