import SharingCore
import WasiStorage

// Keeps changes that this program cannot merge with what another release has stored, until a
// program that can read both commits them (rule R32).
//
// A client's steps are stored in the order of their numbers, so those that wait have a client and a
// journal of their own. A journaled step keeps its client and its number: so it is stored once,
// also if several programs find it.
extension Committer {
  /// Moves the complete steps of values that this program cannot read to journals of changes that
  /// wait, and notifies running programs.
  func holdUnreadable() {
    guard let journal else { return }
    noteStoredChanges()
    let held = lock.withLock { holdSteps(journal) }
    if held.isEmpty { return }
    let isKept = writeWaiting()
    for (value, _) in held {
      // The next start shows the text that was shown last.
      let shown = lock.withLock { value.shown }
      journal.keepCopy(StoredRevision(key: value.name, bytes: shown))
    }
    batch {
      for (value, saves) in held {
        for save in saves { postpone(save, of: value, isKept: isKept) }
      }
    }
    writeJournal()
    ringBell()
  }

  /// The lock is held.
  /// - Parameter first: The program's first journal.
  /// - Returns: The values with steps that wait from now on, and their saves.
  private func holdSteps(_ first: Journal) -> [(CommittedValue, [Receiver])] {
    var held: [(CommittedValue, [Receiver])] = []
    func hold(_ value: CommittedValue, in journal: Journal, _ order: Int?) {
      let steps = value.steps.filter { $0.isComplete }.map { JournaledStep($0, of: value) }
      recovery.add(steps, of: journal.client, after: committedStep, order)
      held.append((value, value.removeSteps(through: .max - 1)))
    }
    func addJournal() -> Journal { Journal(first, waitingJournals.count + 1) }

    // Other programs may have found the steps of this journal, so all of them stay in it. Not while
    // a request may have stored some of them: its answer comes first.
    let cause = values.first { $0.obstacle != nil && $0.isJournaled }?.obstacle
    if let cause, let journal = ownJournal, !machine.mayHaveStored {
      let new = addJournal()
      for value in values where value.isJournaled {
        value.obstacle = value.obstacle ?? cause
        hold(value, in: journal, journalOrder)
      }
      waitingJournals.append(journal)
      (ownJournal, client) = (new, new.client)
    }
    for value in values where value.obstacle != nil && value.isPending && !value.isJournaled {
      var journal = waitingJournals.last {
        recovery.journal(of: $0.client)?.has(value.name) ?? false
      }
      journal = journal ?? waitingJournals.first { recovery.journal(of: $0.client) == nil }
      if journal == nil {
        journal = addJournal()
        waitingJournals.append(journal!)
      }
      hold(value, in: journal!, nil)
    }
    return held
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

  /// Writes the journals of changes that wait, if there are others than in their entries, and tries
  /// again later if there is no room for one.
  /// - Returns: Whether all are stored.
  @discardableResult
  func writeWaiting() -> Bool {
    var areStored = true
    for journal in lock.withLock({ waitingJournals }) {
      let (steps, number) = lock.withLock {
        entryNumber += 1
        return (recovery.journal(of: journal.client)?.uncommitted, entryNumber)
      }
      let lackedChanges = journal.lacksChanges
      if !journal.write(steps, as: number) {
        areStored = false
      } else if lackedChanges {
        ringBell()
      }
    }
    if !areStored { retries.start { self.retry() } }
    return areStored
  }

  /// Records the changes whose journal another program has removed, since they are stored. The
  /// store may have forgotten that: it keeps the steps of the last clients only.
  private func noteStoredChanges() {
    for journal in lock.withLock({ waitingJournals }) {
      guard let last = journal.takeRemoved() else { continue }
      lock.withLock { recovery.noteStored(last, of: journal.client) }
    }
  }

  /// Whether the steps are changes of this program.
  func isOwn(_ steps: JournaledSteps) -> Bool {
    lock.withLock {
      steps.client == client || waitingJournals.contains { $0.client == steps.client }
    }
  }

  /// Tells running programs of the journals that wait for another release.
  func ringBell() {
    let (clients, number) = lock.withLock {
      entryNumber += 1
      return (recovery.journals.map { $0.client }, entryNumber)
    }
    journal?.ringBell(for: clients, number)
  }

  /// Reads the journals of the clients in the bell, those of changes that wait, and those on which
  /// these may depend: the bell holds only the last notification.
  func readAgain() {
    guard let journal else { return }
    let rung = journal.rung
    let others = journal.others().filter { !isOwn($0) }
    let found = others.filter { steps in
      let client = steps.client.bytes
      return steps.waits || rung.indices.contains { rung.has(client, at: $0) }
        || others.contains { $0.waits && $0.mayDepend(on: steps) }
    }
    lock.withLock { recovery.setReadAgain(found) }
    findJournals()
  }
}
