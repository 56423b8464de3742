import SharingCore
import WasiStorage

// Keeps changes that this program cannot merge with what another release has stored, until a
// program that can read both commits them (rule R32).
//
// A client's steps are stored in the order of their numbers, so those that wait have a client and a
// journal of their own.
extension Committer {
  /// Moves the complete steps of values that this program cannot read to journals of changes that
  /// wait, and tells programs that run.
  func holdUnreadable() {
    guard let journal else { return }
    endStoredChanges()
    var hasMoved = false
    for value in lock.withLock({ values }) where lock.withLock({ value.obstacle != nil }) {
      let (saves, shown) = lock.withLock { (moveSteps(of: value, journal), value.shown) }
      guard let saves else { continue }
      hasMoved = true
      let isKept = writeWaiting(of: value)
      // The next start shows the text that was shown last.
      journal.keepCopy(StoredRevision(key: value.name, bytes: shown))
      if !isKept { retries.start { self.retry() } }
      batch {
        for save in saves { postpone(save, of: value, isKept: isKept) }
      }
    }
    guard hasMoved else { return }
    lock.withLock { renumberSteps() }
    writeJournal()
    if !lock.withLock({ values.contains { $0.fence != nil } }) { ringBell() }
  }

  /// Gives the other complete steps a number behind the fences. If the store has a number before a
  /// fence, a program has stored a former journal, with the moved steps. The lock is held.
  private func renumberSteps() {
    guard let last = values.compactMap({ $0.fence?.number }).max() else { return }
    for value in values {
      for step in value.completeChanges where step.number < last { step.renumber(as: openStep) }
    }
    openStep += 1
  }

  /// The lock is held.
  /// - Returns: The saves of the moved steps; nil if there are no steps.
  private func moveSteps(of value: CommittedValue, _ journal: Journal) -> [Receiver]? {
    let steps = value.completeChanges
    let numbers = steps.filter { $0.isJournaled }.map { $0.number }
    // Not while some of them may be stored.
    guard !steps.isEmpty, numbers.isEmpty || !machine.mayHaveStored else { return nil }
    let former = value.fence
    if value.waitingJournal == nil {
      value.waitingJournal = journal.waiting(values.firstIndex { $0 === value } ?? 0)
    }
    let order = numbers.isEmpty ? nil : journalOrder
    for step in steps {
      recovery.add(JournaledStep(step, of: value), of: value.waitingJournal!.client, order)
    }
    return value.removeCompleteSteps(leaving: fence(former, after: numbers))
  }

  /// Returns the fence behind moved steps that others may have found in the journal; nil if there
  /// are none. The lock is held.
  private func fence(
    _ former: (number: Int, moved: ClosedRange<Int>)?, after numbers: [Int]
  ) -> PendingStep? {
    guard let first = former?.moved.lowerBound ?? numbers.first,
      let last = numbers.last ?? former?.moved.upperBound
    else { return nil }
    let fence = PendingStep(.fence(first...last), from: nil, to: nil)
    fence.complete(as: numbers.isEmpty ? former!.number : openStep)
    if !numbers.isEmpty { openStep += 1 }
    return fence
  }

  /// Ends changes that wait although another program had found them in the former journal and has
  /// stored them: the store has their number, but not that of the fence.
  func endMovedSteps(through applied: Int) {
    let hasEnded = lock.withLock {
      var hasEnded = false
      for value in values {
        guard let fence = value.fence, fence.moved.lowerBound <= applied, applied < fence.number
        else { continue }
        recovery.remove(fence.moved.lowerBound...applied, of: value.waitingJournal!.client)
        for step in values.flatMap({ $0.steps }) { step.restoreNumber(through: applied) }
        hasEnded = true
      }
      return hasEnded
    }
    if hasEnded {
      writeJournal()
      answerJournaledSaves()
    }
  }

  /// Reports that a change waits. Its save is answered when the change is stored, that of the
  /// change before it now.
  private func postpone(_ save: Receiver, of value: CommittedValue, isKept: Bool) {
    let former = lock.withLock {
      defer { value.journaledSave = save }
      return value.journaledSave
    }
    let error = waitingError(lock.withLock { value.obstacle }, isKept: isKept)
    former?.answer(error)
    save.postpone(error)
  }

  func waitingError(_ cause: StorageError?, isKept: Bool) -> StorageError {
    StorageError(
      isKept ? .waiting : .quotaExceeded, key: cause?.key,
      """
      \(isKept ? "" : "It waits for another version of the app, but only in memory. " as UTF8Text)\
      \(cause?.advice ?? "")
      """)
  }

  /// Writes the journals of changes that wait.
  /// - Returns: Whether all are stored.
  @discardableResult
  func writeWaiting() -> Bool {
    var areStored = true
    for value in lock.withLock({ values }) where !writeWaiting(of: value) { areStored = false }
    return areStored
  }

  /// Writes the changes of a value that wait, if there are others than in its journal.
  /// - Returns: Whether they are stored.
  private func writeWaiting(of value: CommittedValue) -> Bool {
    guard let journal = lock.withLock({ value.waitingJournal }) else { return true }
    let (steps, number) = lock.withLock {
      entryNumber += 1
      return (recovery.journal(of: journal.client), entryNumber)
    }
    let lackedChanges = journal.lacksChanges
    guard journal.write(steps, as: number) else { return false }
    if lackedChanges { ringBell() }
    return true
  }

  /// Ends the changes whose journal another program has removed. The store may have forgotten that
  /// they are stored: it keeps the steps of the last clients only.
  private func endStoredChanges() {
    guard lock.withLock({ recovery.isRunning && machine.takesChanges }) else { return }
    for value in lock.withLock({ values }) {
      guard let journal = lock.withLock({ value.waitingJournal }), let last = journal.takeRemoved()
      else { continue }
      // There may have been no room for later ones.
      lock.withLock { recovery.remove(0...last, of: journal.client) }
      batch {
        writeJournal()
        answerJournaledSaves()
        value.show()
      }
    }
  }

  /// Whether the steps are changes of this program that wait.
  func isOwn(_ steps: JournaledSteps) -> Bool { steps.client.waits(for: client) }

  /// Tells running programs of the journals that wait for another release.
  func ringBell() {
    journal?.ringBell(for: lock.withLock { recovery.journals.map { $0.client } })
  }

  /// Reads the journals for which another program has rung, those of changes that wait, and those
  /// that these may depend on: a ring may have replaced the one before.
  func readAgain() {
    guard let journal else { return }
    let rung = journal.rung
    let others = journal.others()
    let found = others.filter { steps in
      let client = steps.client.bytes
      return steps.waitsForAnotherRelease || rung.indices.contains { rung.has(client, at: $0) }
        || others.contains { $0.waitsForAnotherRelease && $0.mayDepend(on: steps) }
    }
    lock.withLock { recovery.setReadAgain(found) }
    findJournals()
  }
}
