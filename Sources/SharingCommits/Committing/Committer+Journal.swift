import SharingCore
import WasiStorage

extension Committer {
  /// Writes the uncommitted steps to the journals, where they survive the program's end.
  func writeJournal() {
    writeWaiting()
    let (journal, text, number) = lock.withLock {
      entryNumber += 1
      return (ownJournal, journalText(), entryNumber)
    }
    journal?.write(text, as: number)
  }

  /// Returns the journal's text for the uncommitted steps; nil if there are none. The lock is held.
  private func journalText() -> [UInt8]? {
    // The order stays while there are journaled steps: others may have made theirs on top of them.
    if !hasJournaledSteps { journalOrder = recovery.order }
    var journaled = JournaledSteps()
    (journaled.committedStep, journaled.order) = (committedStep, journalOrder)
    for value in values {
      for step in value.steps where step.isComplete {
        step.isJournaled = true
        journaled.steps.append(JournaledStep(step, of: value))
      }
    }
    return journaled.steps.isEmpty ? nil : try? JSON.encode(journaled)
  }

  /// Whether other programs may have found steps in the journal. The lock is held.
  var hasJournaledSteps: Bool { values.contains { $0.isJournaled } }

  /// Removes stored steps from the journal and updates the copies of stored values, after a delay,
  /// so that frequent commits do not wait for it. Until then the journal does no harm: the store
  /// recognizes its steps, and the next turn rewrites it. The copies only serve the first paint.
  func tidyLater() {
    let mustAsk = lock.withLock {
      defer { isTidying = true }
      return journal != nil && !isTidying
    }
    guard mustAsk else { return }
    if !stores.clockForKey.call(after: 1000, { self.tidy() }) { tidy() }
  }

  private func tidy() {
    let values = lock.withLock {
      isTidying = false
      return self.values
    }
    // After the environment's end there are none, and the journal keeps its uncommitted steps.
    guard !values.isEmpty else { return }
    writeJournal()
    for value in values {
      if let base = lock.withLock({ value.base }) { value.keepCopy(base) }
    }
  }
}
