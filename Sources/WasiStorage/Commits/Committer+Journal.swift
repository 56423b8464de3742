import SharingCore

extension Committer {
  /// Keeps what is not committed where it survives the program's end.
  func writeJournal() {
    guard let journal else { return }
    let (text, number) = lock.withLock {
      entryNumber += 1
      return (journalText(), entryNumber)
    }
    journal.write(text, as: number)
  }

  /// What is not committed; nil where that is nothing. The lock is held.
  private func journalText() -> [UInt8]? {
    var writer = JournalWriter(order, after: committedStep)
    for value in values {
      for step in value.steps { writer.append(step, of: value) }
    }
    return writer.end()
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
    journal?.tidy()
    for base in bases { journal?.keepCopy(base) }
  }

  // MARK: Recovery

  /// Whether something that other programs have journaled is not stored. The lock is held.
  var isRecovering: Bool { journals?.isEmpty == false }

  /// Whether what is changed here waits until that is stored. Where that has failed, values go on
  /// that have nothing in it. The lock is held.
  var waitsForRecovery: Bool {
    guard isRecovering, hasRecoveryFailed else { return isRecovering }
    return values.contains { !$0.steps.isEmpty && isJournaled($0.name) }
  }

  /// This program's number among those that have journaled something: what it changes may depend on
  /// what those with lower ones have. The lock is held.
  var order: Int { (journals?.last?.order ?? 0) &+ 1 }

  /// What programs of this browser have shown last of a value, as far as that can be told from a
  /// copy of what was stored: it may have in it what they have journaled.
  func shown(_ copy: [UInt8]?, of key: KeyName) -> [UInt8]? {
    findJournals()
    return lock.withLock { journaled(on: copy, of: key) }
  }

  /// The lock is held.
  func journaled(on text: [UInt8]?, of key: KeyName) -> [UInt8]? {
    (journals ?? []).reduce(text) { $1.result(of: key, from: $0) }
  }

  /// How many of the turns that are to be recovered have changed a value. The lock is held.
  func journaledCount(of key: KeyName) -> Int {
    (journals ?? []).reduce(0) { $0 + $1.count(of: key) }
  }

  /// Whether a turn that is to be recovered has changed a value. The lock is held.
  func isJournaled(_ key: KeyName) -> Bool { (journals ?? []).contains { $0.has(key) } }

  /// Reads the journals of other programs, the first time, and begins to recover those with a key
  /// of this program. A value that is new may be the first one with a key of theirs.
  func findJournals() {
    guard let journal else { return }
    let isFirst = lock.withLock { journals == nil }
    let found = isFirst ? journal.others() : []
    let isBeginning = lock.withLock {
      let wasRecovering = isRecovering
      if journals == nil { (journals, foreignJournals) = ([], found) }
      takeJournals()
      return isWatching && !wasRecovering && isRecovering
    }
    if isBeginning { recover() }
  }

  /// Takes the journals with a key of this program, and those with a key of one that was taken: the
  /// order of all changes of a key counts. The lock is held.
  private func takeJournals() {
    while let index = foreignJournals.firstIndex(where: { isOwn($0) }) {
      let steps = foreignJournals.remove(at: index)
      let place = journals?.firstIndex { $0.order > steps.order } ?? journals?.count ?? 0
      journals?.insert(steps, at: place)
    }
  }

  /// Whether a journal has a key of this program, or of a journal that it recovers. The lock is
  /// held.
  private func isOwn(_ steps: JournaledSteps) -> Bool {
    steps.steps.contains { value(named: $0.key) != nil || isJournaled($0.key) }
  }

  /// Commits what programs have shown that have ended before it was committed (rule R28). That of a
  /// program which has not ended is stored once all the same: the store knows its steps. But only
  /// that one can run updates again: where another was first, it has a second to do so.
  func recover() {
    if lock.withLock({ isRecovering }) { recoverFirst() }
  }

  /// Does it again, where the store has failed. Journals that were begun meanwhile are not older
  /// than what is changed here.
  func recoverAgain() {
    let hasFailed = lock.withLock {
      // There are no values once the environment has ended, and the journals stay.
      guard hasRecoveryFailed, !values.isEmpty else { return false }
      hasRecoveryFailed = false
      return true
    }
    if hasFailed { recoverFirst() }
  }

  /// Afterwards, commits and shows what has waited for it.
  func recoverFirst() {
    let first = lock.withLock {
      heldJournals = []
      return journals?.first
    }
    if let first { return recover(first, first.commit) }
    commit()
    let values = lock.withLock { self.values }
    batch {
      for value in values where !lock.withLock({ value.isCurrent }) { value.show() }
    }
  }

  private func recover(_ steps: JournaledSteps, _ commit: Commit) {
    store.commit(commit) {
      self.rebase(steps, $0, $1)
    } _: { answer in
      switch answer {
      case .accepted(let stored, _):
        self.journal?.remove(steps)
        self.lock.withLock {
          self.hasStored = true
          self.recovered = steps
        }
        self.receive(stored)
      case .conflict(let stored, let applied):
        guard let entries = self.rebase(steps, stored, applied) else {
          return self.waitForOthers()
        }
        let next = Commit(
          client: commit.client, after: applied, through: commit.through, entries: entries)
        self.recover(steps, next)
      case .failed(let error):
        let next = self.lock.withLock { self.hold(steps) }
        self.postpone(error, through: next != nil || self.commitOwn() ? 0 : .max)
        if let next { self.recover(next, next.commit) }
      }
    }
  }

  /// A journal cannot be stored: it waits, and so does each behind it that has steps of a key of
  /// one that waits. The lock is held.
  /// - Returns: The next one that does not wait.
  private func hold(_ failed: JournaledSteps) -> JournaledSteps? {
    heldJournals.append(failed.client)
    for steps in journals ?? [] where !heldJournals.contains(steps.client) {
      guard steps.steps.contains(where: { isHeld($0.key) }) else { return steps }
      heldJournals.append(steps.client)
    }
    hasRecoveryFailed = true
    return nil
  }

  /// Whether a journal waits that has steps of a key. The lock is held.
  func isHeld(_ key: KeyName) -> Bool {
    (journals ?? []).contains { heldJournals.contains($0.client) && $0.has(key) }
  }

  /// - Returns: Nil where their own program may do it better.
  private func rebase(
    _ steps: JournaledSteps, _ stored: [StoredRevision], _ applied: Int
  ) -> [CommitEntry]? {
    let isAlone = lock.withLock { hasWaitedForOthers }
    return steps.rebase(onto: stored, after: applied, isAlone: isAlone)
  }

  private func waitForOthers() {
    let goOn: @Sendable () -> Void = {
      self.lock.withLock {
        self.hasWaitedForOthers = true
        self.hasRecoveryFailed = true
      }
      self.commit()
    }
    if !clock().call(after: 1000, goOn) { goOn() }
  }

  /// Ends the recovery of a journal that is stored, when what is stored is taken over: who waits
  /// for that is answered.
  func endRecovery(of steps: JournaledSteps) {
    var saved: [SaveRequest] = []
    lock.withLock {
      recovered = nil
      journals?.removeAll { $0.client == steps.client }
      for value in values where !isJournaled(value.name) {
        if let request = value.recovery?.request { saved.append(request) }
        value.recovery = nil
      }
    }
    for request in saved { request.answer(nil) }
  }
}
