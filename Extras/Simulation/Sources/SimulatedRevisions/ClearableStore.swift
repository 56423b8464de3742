import SharingCommits
import SharingCore
import WasiStorage

/// A revision store in memory that can be cleared, as a browser's. Its revisions continue to grow
/// after that.
package struct ClearableStore {
  private var store: MemoryRevisionStore
  /// The number that is added to the revisions of the current store.
  package private(set) var past: Int64 = 0

  /// The number of clients with a known last step; nil for the usual number of a store.
  package var clientLimit: Int?

  /// Whether each record includes the steps of its clients, as in IndexedDB and over NATS.
  /// Otherwise the store keeps them beside its records, as a folder does.
  package var keepsStepsInRecords = false

  /// The clients' steps in each record.
  private var records: [(key: KeyName, steps: ClientSteps)] = []
  private var commitCount = 0

  init(_ store: MemoryRevisionStore) { self.store = store }

  package mutating func clear() {
    store = MemoryRevisionStore()
    records = []
    past += 1_000_000
  }

  package func stored(_ key: KeyName) -> StoredRevision { later(store.stored(key)) }

  func snapshot(_ keys: [KeyName], _ client: UTF8Text) -> StoredSnapshot {
    StoredSnapshot(keys.map { stored($0) }, applied: lastStep(of: client, in: keys))
  }

  /// Whether a commit has been stored before.
  func has(_ commit: Commit) -> Bool { lastStep(of: commit) ?? -1 >= commit.through }

  /// The number of the client's last stored step; nil for an unknown client.
  func lastStep(of commit: Commit) -> Int? {
    lastStep(of: commit.client, in: commit.entries.map { $0.key })
  }

  private func lastStep(of client: UTF8Text, in keys: [KeyName]) -> Int? {
    guard keepsStepsInRecords else { return store.snapshot([], client).applied }
    var last: Int?
    for record in records where keys.contains(record.key) {
      if let step = record.steps.lastStep(of: client) { last = max(last ?? 0, step) }
    }
    return last
  }

  mutating func answer(to commit: Commit) -> CommitAnswer {
    keepsStepsInRecords ? answerByRecords(commit) : answerBeside(commit)
  }

  private mutating func answerByRecords(_ commit: Commit) -> CommitAnswer {
    let keys = commit.entries.map { $0.key }
    let (now, applied) = (keys.map { stored($0) }, max(commit.after, lastStep(of: commit) ?? 0))
    if applied >= commit.through { return .accepted(now, applied: applied) }
    guard commit.fits(now, applied: applied) else { return .conflict(now, applied: applied) }
    commitCount += 1
    _ = store.answer(
      to: Commit(
        client: "commit \(commitCount)", after: 0, through: 1,
        entries: commit.entries.map { CommitEntry(key: $0.key, expected: nil, bytes: $0.bytes) }))
    for key in keys { set(ClientStep(commit.client, commit.through), in: key) }
    return .accepted(keys.map { stored($0) }, applied: commit.through)
  }

  private mutating func set(_ step: ClientStep, in key: KeyName) {
    let limit = clientLimit ?? CommitRecords.clientLimit
    for index in records.indices where records[index].key == key {
      return records[index].steps.set(step, limit: limit)
    }
    var steps = ClientSteps()
    steps.set(step, limit: limit)
    records.append((key, steps))
  }

  private func answerBeside(_ commit: Commit) -> CommitAnswer {
    let entries = commit.entries.map {
      CommitEntry(key: $0.key, expected: $0.expected.map(earlier), bytes: $0.bytes)
    }
    let commit = Commit(
      client: commit.client, after: commit.after, through: commit.through, entries: entries)
    let answer =
      clientLimit.map { store.answer(to: commit, knowing: $0) } ?? store.answer(to: commit)
    switch answer {
    case .accepted(let stored, let applied): return .accepted(stored.map(later), applied: applied)
    case .conflict(let stored, let applied): return .conflict(stored.map(later), applied: applied)
    case .failed(let error): return .failed(error)
    }
  }

  private func later(_ stored: StoredRevision) -> StoredRevision {
    if past == 0 || stored.revision == 0 { return stored }
    return StoredRevision(key: stored.key, revision: stored.revision + past, bytes: stored.bytes)
  }

  /// Returns a revision of the current store; -1 for one from before the store was cleared.
  private func earlier(_ revision: Int64) -> Int64 {
    revision > 0 ? max(revision - past, -1) : revision
  }
}
