import SharingCore
import WasiStorage

// Keeps changes that this program cannot merge with what another release has stored, until a
// program that can read both commits them (rule R32).
//
// A client's steps are stored in the order of their numbers, so those that wait have a client and a
// journal of their own.
extension Committer {
  /// Moves the complete steps of values that this program cannot read to journals of changes that
  /// wait, and tells programs that run. Not while a commit is under way or in doubt: some of the
  /// steps may be stored.
  func holdUnreadable() {
    guard let journal, case .idle = lock.withLock({ state }) else { return }
    endStoredChanges()
    var hasMoved = false
    for value in lock.withLock({ values }) where lock.withLock({ value.obstacle != nil }) {
      let (saves, shown) = lock.withLock { (moveSteps(of: value, journal), value.shown) }
      guard let saves else { continue }
      hasMoved = true
      let isKept = writeWaiting(of: value)
      // The next start shows what was shown last.
      journal.keepCopy(StoredRevision(key: value.name, bytes: shown))
      batch {
        for save in saves { postpone(save, of: value, isKept: isKept) }
      }
    }
    if hasMoved { journal.ringBell() }
  }

  /// The lock is held.
  /// - Returns: The saves of the moved steps; nil if there are no steps.
  private func moveSteps(of value: CommittedValue, _ journal: Journal) -> [Receiver]? {
    guard value.steps.first?.isComplete ?? false else { return nil }
    if value.waitingJournal == nil {
      value.waitingJournal = journal.waiting(values.firstIndex { $0 === value } ?? 0)
    }
    for step in value.steps where step.isComplete {
      recovery.add(JournaledStep(step, of: value), of: value.waitingJournal!.client)
    }
    return value.removeCompleteSteps()
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
      The change waits until a program of another release stores it, \
      \(isKept ? "and is kept in this browser" : "but has no room except in memory" as UTF8Text). \
      \(cause?.message ?? "")
      """)
  }

  /// Writes the journals of changes that wait.
  func writeWaiting() {
    for value in lock.withLock({ values }) { _ = writeWaiting(of: value) }
  }

  /// Writes the changes of a value that wait, if there are others than in its journal.
  /// - Returns: Whether they are stored.
  private func writeWaiting(of value: CommittedValue) -> Bool {
    guard let journal = lock.withLock({ value.waitingJournal }) else { return true }
    let (steps, number) = lock.withLock {
      entryNumber += 1
      return (recovery.journal(of: journal.client), entryNumber)
    }
    return journal.write(steps, as: number)
  }

  /// Ends the changes whose journal another program has removed. The store may have forgotten that
  /// they are stored: it keeps the steps of the last clients only.
  private func endStoredChanges() {
    guard lock.withLock({ recovery.hasFailed }) else { return }
    for value in lock.withLock({ values }) {
      guard let journal = lock.withLock({ value.waitingJournal }), journal.isRemoved,
        let steps = lock.withLock({ recovery.journal(of: journal.client) })
      else { continue }
      endRecovery(of: steps)
      lock.withLock { if recovery.isRunning { recovery.state = .failed } }
    }
  }

  /// Whether the steps are changes of this program that wait.
  func isOwn(_ steps: JournaledSteps) -> Bool { steps.client.waits(for: client) }

  /// Reads the journals of programs that run, one of which has changes that wait.
  func readWaiting() {
    guard let journal else { return }
    let found = journal.others()
    lock.withLock {
      recovery.mayHaveMore = false
      recovery.setWaiting(found)
    }
    findJournals()
  }
}
