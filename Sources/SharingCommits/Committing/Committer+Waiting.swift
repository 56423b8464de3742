import SharingCore
import WasiStorage

/// The journal of the changes of one key that wait for another release.
struct WaitingJournal {
  let key: KeyName
  let journal: Journal
  /// The number of the last step that is written.
  var written = 0
}

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
    var moved: [(value: CommittedValue, step: PendingStep)] = []
    var shown: [(key: KeyName, text: [UInt8]?)] = []
    let number = lock.withLock {
      for value in values where recovery.blocked.contains(value.name) {
        let steps = value.takeCompleteSteps()
        if steps.isEmpty { continue }
        shown.append((value.name, value.shown))
        let client = waitingClient(of: value.name, journal)
        for step in steps {
          recovery.add(JournaledStep(step, of: value), of: client)
          moved.append((value, step))
        }
      }
      entryNumber += moved.isEmpty ? 0 : 1
      return entryNumber
    }
    guard !moved.isEmpty else { return }
    let isKept = writeWaitingJournals(number)
    // The next start shows what was shown last.
    for (key, text) in shown { journal.keepCopy(StoredRevision(key: key, bytes: text)) }
    journal.ringBell()
    batch {
      for (value, step) in moved { postpone(step, of: value, isKept: isKept) }
    }
  }

  /// Ends the changes whose journal another program has removed. The store may have forgotten that
  /// they are stored: it keeps the steps of the last clients only.
  private func endStoredChanges() {
    let waiting = lock.withLock { recovery.hasFailed ? self.waiting : [] }
    for waiting in waiting where waiting.journal.isRemoved {
      guard let steps = lock.withLock({ recovery.journal(of: waiting.journal.client) })
      else { continue }
      endRecovery(of: steps)
      lock.withLock { if recovery.isRunning { recovery.state = .failed } }
    }
  }

  /// Returns the client for changes of a key that wait. The lock is held.
  private func waitingClient(of key: KeyName, _ journal: Journal) -> UTF8Text {
    if let known = waiting.first(where: { $0.key == key }) { return known.journal.client }
    let made = journal.waiting(waiting.count + 1)
    waiting.append(WaitingJournal(key: key, journal: made))
    return made.client
  }

  /// Reports that a change waits. Its save is answered when the change is stored, those of earlier
  /// changes now.
  private func postpone(_ step: PendingStep, of value: CommittedValue, isKept: Bool) {
    guard step.save != nil else { return }
    let (former, obstacle) = lock.withLock {
      defer { value.journaledSave = step }
      return (value.journaledSave, value.obstacle)
    }
    let error = isKept ? waitingError(obstacle) : notKeptError(value.name)
    former?.save?.answer(error)
    step.save?.postpone(error)
  }

  func waitingError(_ cause: StorageError?) -> StorageError {
    StorageError(
      cause?.reason ?? .other, key: cause?.key,
      """
      The change is kept in this browser until a program of another release stores it: what is \
      stored now is of that release. Reload the page. \(cause?.message ?? "")
      """)
  }

  private func notKeptError(_ key: KeyName) -> StorageError {
    StorageError(
      .quotaExceeded, key: key,
      """
      The change is only in the memory of this program: what is stored now is of another release, \
      and there is no room to keep the change until that release stores it. Make room, then change \
      the value again.
      """)
  }

  /// Writes the journals of changes that wait, where they have changed.
  /// - Returns: Whether all are stored.
  @discardableResult
  func writeWaitingJournals(_ number: Int) -> Bool {
    let changed = lock.withLock {
      var changed: [(Journal, [UInt8]?)] = []
      for index in waiting.indices {
        let steps = recovery.journal(of: waiting[index].journal.client)
        if steps?.lastStep ?? 0 == waiting[index].written { continue }
        waiting[index].written = steps?.lastStep ?? 0
        changed.append((waiting[index].journal, steps.flatMap { try? JSON.encode($0) }))
      }
      return changed
    }
    var isKept = true
    for (journal, text) in changed where !journal.write(text, as: number) { isKept = false }
    return isKept
  }

  /// Whether the steps are changes of this program that wait.
  func isOwn(_ steps: JournaledSteps) -> Bool {
    WaitingClient.program(of: steps.client) == client
  }

  // MARK: Those of other programs

  /// Begins to commit the changes of programs that run and cannot store them.
  func readWaiting() {
    guard let journal else { return }
    let found = journal.others().filter { $0.waitsForAnotherRelease }
    let isBeginning = lock.withLock {
      let wasRunning = recovery.isRunning
      mustReadWaiting = wasRunning
      recovery.add(found)
      recovery.select { value(named: $0) != nil }
      return isWatching && !wasRunning && recovery.isRunning
    }
    if isBeginning { recover() }
  }

  /// Reads them again at the end of a recovery during which there was news of them.
  func readWaitingAgain() {
    if lock.withLock({ mustReadWaiting }) { readWaiting() }
  }
}
