import SharingCore
import WasiStorage

extension Committer {
  /// Writes the uncommitted steps to the journal, where they survive the program's end.
  func writeJournal() {
    guard let journal else { return }
    let (text, number) = lock.withLock {
      entryNumber += 1
      return (journalText(), entryNumber)
    }
    journal.write(text, as: number)
  }

  /// Returns the journal's text for the uncommitted steps; nil if there are none. The lock is held.
  private func journalText() -> [UInt8]? {
    var writer = JournalWriter(order, after: committedStep)
    for value in values {
      for step in value.steps { writer.append(step, of: value) }
    }
    return writer.end()
  }

  /// Removes stored steps from the journal and updates the copies of stored values, after a delay,
  /// so that frequent commits do not wait for it. Until then the journal does no harm: the store
  /// recognizes its steps, and the next turn rewrites it. The copies only serve the first paint.
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
    // After the environment's end there are none, and the journal keeps its uncommitted steps.
    guard !bases.isEmpty else { return }
    writeJournal()
    journal?.tidy()
    for base in bases { journal?.keepCopy(base) }
  }

  // MARK: Recovery

  /// Whether journal entries of other programs are not stored yet. The lock is held.
  var isRecovering: Bool { journals?.isEmpty == false }

  /// Whether changes of this program wait for the recovery. After a failed recovery, they wait only
  /// if one is to a journaled value. The lock is held.
  var waitsForRecovery: Bool {
    guard isRecovering, hasRecoveryFailed else { return isRecovering }
    return values.contains { !$0.steps.isEmpty && isJournaled($0.name) }
  }

  /// This program's number among the journals. It is higher than theirs, since this program's
  /// changes may depend on them. The lock is held.
  var order: Int { (journals?.last?.order ?? 0) &+ 1 }

  /// Applies the journals to a copy of the stored value. The result is probably the value that the
  /// programs of this browser showed last: the copy may already contain journaled steps.
  func shown(_ copy: [UInt8]?, of key: KeyName) -> [UInt8]? {
    findJournals()
    return lock.withLock { journaled(on: copy, of: key) }
  }

  /// Returns a text with the journaled steps of a key applied. The lock is held.
  func journaled(on text: [UInt8]?, of key: KeyName) -> [UInt8]? {
    (journals ?? []).reduce(text) { $1.result(of: key, from: $0) }
  }

  /// Returns the number of turns to recover that changed a value. The lock is held.
  func journaledCount(of key: KeyName) -> Int {
    (journals ?? []).reduce(0) { $0 + $1.count(of: key) }
  }

  /// Whether a turn to recover changed a value. The lock is held.
  func isJournaled(_ key: KeyName) -> Bool { (journals ?? []).contains { $0.has(key) } }

  /// Reads the journals of other programs on the first call, and begins to recover those with a key
  /// of this program. Later calls find journals of which a new value is the first with a key.
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

  /// Selects the journals with a key of this program, and those that share a key with a selected
  /// one: all changes of a key are recovered in order. The lock is held.
  private func takeJournals() {
    while let index = foreignJournals.firstIndex(where: { isOwn($0) }) {
      let steps = foreignJournals.remove(at: index)
      let place = journals?.firstIndex { $0.order > steps.order } ?? journals?.count ?? 0
      journals?.insert(steps, at: place)
    }
  }

  /// Whether a journal has a key of this program, or of a journal under recovery. The lock is held.
  private func isOwn(_ steps: JournaledSteps) -> Bool {
    steps.steps.contains { value(named: $0.key) != nil || isJournaled($0.key) }
  }

  /// Commits changes that ended programs have shown but not committed (rule R28). If such a program
  /// still runs, its changes are also stored once: the store recognizes its steps. But only that
  /// program can run its updates again. After a conflict, it has one second to do so.
  func recover() {
    if lock.withLock({ isRecovering }) { recoverFirst() }
  }

  /// Retries the recovery after a failure of the store. Ignores journals that were begun meanwhile:
  /// they are not older than the changes of this program.
  func recoverAgain() {
    let hasFailed = lock.withLock {
      // After the environment's end there are no values, and the journals stay.
      guard hasRecoveryFailed, !values.isEmpty else { return false }
      hasRecoveryFailed = false
      return true
    }
    if hasFailed { recoverFirst() }
  }

  /// Recovers the first journal. If none is left, commits and shows the changes that waited.
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

  /// Holds a journal that cannot be stored, and each later one that shares a key with a held
  /// journal. The lock is held.
  /// - Returns: The next journal that is not held; nil if there is none.
  private func hold(_ failed: JournaledSteps) -> JournaledSteps? {
    heldJournals.append(failed.client)
    for steps in journals ?? [] where !heldJournals.contains(steps.client) {
      guard steps.steps.contains(where: { isHeld($0.key) }) else { return steps }
      heldJournals.append(steps.client)
    }
    hasRecoveryFailed = true
    return nil
  }

  /// Whether a held journal has steps of a key. The lock is held.
  func isHeld(_ key: KeyName) -> Bool {
    (journals ?? []).contains { heldJournals.contains($0.client) && $0.has(key) }
  }

  /// - Returns: Nil if the journal's own program may still run its updates again.
  private func rebase(
    _ steps: JournaledSteps, _ stored: [StoredRevision], _ applied: Int
  ) -> [CommitEntry]? {
    let isAlone = lock.withLock { hasWaitedForOthers }
    return steps.rebase(onto: stored, after: applied, isAlone: isAlone)
  }

  private func waitForOthers() {
    let resume: @Sendable () -> Void = {
      self.lock.withLock {
        self.hasWaitedForOthers = true
        self.hasRecoveryFailed = true
      }
      self.commit()
    }
    if !clock().call(after: 1000, resume) { resume() }
  }

  /// Ends the recovery of a stored journal, just before its result is taken over. Answers the saves
  /// that waited for it.
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
