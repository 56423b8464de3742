import SharingCore

// What the committer asks of a value.
extension CommittedValue {
  // MARK: With the committer's lock held

  /// What is to be stored for the steps up to a number; nil where there are none.
  func entry(through: Int) -> CommitEntry? {
    guard let last = steps.last(where: { $0.number <= through }) else { return nil }
    replayError = nil
    // What is replaced is to be kept: the store asks for that.
    let expected = isCurrent && !hasLoss ? base?.revision : nil
    return CommitEntry(key: name, expected: expected ?? -1, bytes: last.result)
  }

  /// The steps up to a number are stored, with this result.
  /// - Returns: The requests to answer.
  func accept(_ stored: StoredRevision, through: Int) -> [SaveRequest] {
    // Without any, what is shown was made of the base.
    let result = steps.last(where: { $0.number <= through }).map { $0.result } ?? base?.bytes
    if LastKnown(stored.bytes) != LastKnown(result) { isCurrent = false }
    if base == nil, LastKnown(stored.bytes) == LastKnown(result) { isCurrent = true }
    // An answer may be older, or the store was cleared: then the next commit takes that over.
    if stored.revision >= base?.revision ?? 0 { base = stored }
    return removeSteps(through: through)
  }

  /// The steps up to a number are kept in a copy.
  /// - Returns: The requests to answer.
  func removeRefused(through: Int) -> [SaveRequest] {
    replayError = nil
    isCurrent = false
    hasRefused = true
    return removeSteps(through: through)
  }

  private func removeSteps(through: Int) -> [SaveRequest] {
    let count = steps.firstIndex { $0.number > through } ?? steps.count
    var requests: [SaveRequest] = []
    for step in steps[..<count] {
      if let request = step.request { requests.append(request) }
    }
    steps.removeFirst(count)
    if steps.isEmpty { hasLoss = false }
    return requests
  }

  // MARK: Without it

  /// What the steps up to a number make of what is stored now: what is to be stored in its place,
  /// and copies of what must not be lost.
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

  /// What is to be stored where the steps cannot be made again: a copy of what they have made.
  func refuse(through: Int, _ error: StorageError) -> CommitEntry {
    committer.lock.withLock {
      replayError = error
      return copy(of: steps.last(where: { $0.number <= through })?.result, "replaced")
    }
  }

  private func copy(of text: [UInt8]?, _ suffix: StaticString) -> CommitEntry {
    CommitEntry(key: copyName(suffix), expected: nil, bytes: text)
  }
}
