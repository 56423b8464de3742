import SharingCore
import WasiStorage

// The part of a value that its committer calls.
extension CommittedValue {
  // MARK: With the committer's lock held

  /// Whether there are complete steps, which other programs may find in the journal.
  var isPending: Bool { steps.first?.isComplete ?? false }

  /// Whether other programs may have found steps in the journal.
  var isJournaled: Bool { steps.contains { $0.isJournaled } }

  /// The steps that are not complete.
  private var openSteps: ArraySlice<PendingStep> {
    steps[(steps.lastIndex { $0.isComplete }.map { $0 + 1 } ?? 0)...]
  }

  /// Adds the turns that have changed the value together with one of the given turns, or after it.
  func addTurns(after turns: inout [UInt]) {
    var isAfter = false
    for step in openSteps {
      isAfter = isAfter || step.isOfAny(of: turns)
      if isAfter { turns += step.turns.filter { !turns.contains($0) } }
    }
  }

  /// Completes the steps of all turns except the given ones.
  func completeSteps(as number: Int, except turns: [UInt]) {
    for step in openSteps where !step.isOfAny(of: turns) { step.complete(as: number) }
  }

  /// Returns the entry to commit for the steps up to a number; nil if there are none.
  func entry(through: Int) -> CommitEntry? {
    guard let last = steps.last(where: { $0.number <= through }) else { return nil }
    replayError = nil
    // Without an expected revision, the store asks for a rebase, which also stores a copy of the
    // replaced value.
    let expected = isCurrent && !hasLoss ? base?.revision : nil
    return CommitEntry(key: name, expected: expected ?? -1, bytes: last.result)
  }

  /// Records the stored result of the steps up to a number.
  /// - Returns: The saves to answer.
  func accept(_ stored: StoredRevision, through: Int) -> [Receiver] {
    // Without such steps, the shown value was made from the base, or from the browser's copy.
    let result = steps.last(where: { $0.number <= through }).map { $0.result } ?? base?.bytes
    if ItemContents(stored.bytes) != ItemContents(result) {
      outdate()
    } else if base == nil, shownState == .nothing {
      shownState = .current
    }
    // Keep the base if the answer is older, or if the store was cleared: the next commit takes that
    // over.
    if stored.revision >= base?.revision ?? 0 { base = stored }
    return removeSteps(through: through)
  }

  /// Removes the refused steps up to a number; their result is kept in a copy.
  /// - Returns: The saves to answer.
  func removeRefused(through: Int) -> [Receiver] {
    replayError = nil
    shownState = .refused
    return removeSteps(through: through)
  }

  /// Removes the steps up to a number.
  /// - Returns: Their saves.
  func removeSteps(through: Int) -> [Receiver] {
    let count = steps.firstIndex { $0.number > through } ?? steps.count
    var saves: [Receiver] = []
    for step in steps[..<count] {
      if let save = step.save { saves.append(save) }
    }
    steps.removeFirst(count)
    if steps.isEmpty { hasLoss = false }
    return saves
  }

  /// Whether the value has steps in a commit. A list of replaced values may have none there.
  func has(_ commit: Commit) -> Bool { steps.first?.number ?? .max <= commit.through }

  // MARK: Without it

  /// Applies the steps up to a number to the newly stored value. Returns the entry for the result,
  /// and copies of replaced or corrupt bytes.
  func rebase(
    onto stored: StoredRevision, after applied: Int, through: Int
  ) throws(StorageError) -> [CommitEntry] {
    let steps = committer.lock.withLock {
      replayError = nil
      return self.steps.filter { $0.number > applied && $0.number <= through }
    }
    let replay = try replay(steps, over: stored)
    var entries = [CommitEntry(key: name, expected: stored.revision, bytes: replay.text)]
    if let loss = replay.loss { entries.append(copy(of: loss, "replaced")) }
    if let corrupt = replay.corrupt { entries.append(copy(of: corrupt, "corrupt")) }
    return entries
  }

  /// Returns the stored value as it is and a copy of the steps' result, if the steps cannot be
  /// applied again.
  func refuse(
    onto stored: StoredRevision, through: Int, _ error: StorageError
  ) -> [CommitEntry] {
    committer.lock.withLock {
      replayError = error
      return [
        CommitEntry(key: name, expected: stored.revision, bytes: stored.bytes),
        copy(of: steps.last(where: { $0.number <= through })?.result, "replaced"),
      ]
    }
  }

  private func copy(of text: [UInt8]?, _ suffix: StaticString) -> CommitEntry {
    CommitEntry(key: name.copy(suffix), expected: nil, bytes: text)
  }
}
