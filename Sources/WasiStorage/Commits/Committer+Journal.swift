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
    for steps in journal.others() { recover(steps, steps.commit, journal) }
  }

  private func recover(_ steps: JournaledSteps, _ commit: Commit, _ journal: Journal) {
    store.commit(commit) { (stored, applied) throws(StorageError) in
      steps.rebase(onto: stored, after: applied)
    } _: { answer in
      switch answer {
      case .accepted(let stored, _):
        journal.remove(steps)
        self.receive(stored)
      case .conflict(let stored, let applied):
        let entries = steps.rebase(onto: stored, after: applied)
        let next = Commit(
          client: commit.client, after: applied, through: commit.through, entries: entries)
        self.recover(steps, next, journal)
      case .failed: break  // for the next program
      }
    }
  }
}
