import SharingCore
import WasiStorage

extension Committer {
  /// Writes the uncommitted steps to the journals, where they survive the program's end.
  func writeJournal() {
    guard let journal else { return }
    let (text, number) = lock.withLock {
      entryNumber += 1
      return (journalText(), entryNumber)
    }
    writeWaiting()
    journal.write(text, as: number)
  }

  /// Returns the journal's text for the uncommitted steps; nil if there are none. The lock is held.
  private func journalText() -> [UInt8]? {
    var journaled = JournaledSteps()
    journaled.committedStep = committedStep
    for value in values {
      for step in value.steps where step.isComplete && !step.change.isFence {
        step.isJournaled = true
        journaled.steps.append(JournaledStep(step, of: value))
      }
    }
    if journaled.steps.isEmpty {
      journalOrder = nil
      return nil
    }
    journaled.order = journalOrder ?? recovery.order
    journalOrder = journaled.order
    return try? JSON.encode(journaled)
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
