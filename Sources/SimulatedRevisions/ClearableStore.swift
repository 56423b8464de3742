import SharingCore
import WasiStorage

/// A revision store in memory that can be cleared, as a browser's: the revisions that come after
/// that are higher all the same.
package struct ClearableStore {
  private var store: MemoryRevisionStore
  /// What is added to its revisions.
  package private(set) var past: Int64 = 0

  /// Of so many clients it knows the last steps; nil for as many as a store usually does.
  package var clientLimit: Int?

  init(_ store: MemoryRevisionStore) { self.store = store }

  package mutating func clear() {
    store = MemoryRevisionStore()
    past += 1_000_000
  }

  package func stored(_ key: KeyName) -> StoredRevision { later(store.stored(key)) }

  func snapshot(_ keys: [KeyName], _ client: UTF8Text) -> StoredSnapshot {
    let snapshot = store.snapshot(keys, client)
    return StoredSnapshot(snapshot.revisions.map(later), applied: snapshot.applied)
  }

  /// Whether a commit has been stored before.
  func has(_ commit: Commit) -> Bool { lastStep(of: commit.client) ?? -1 >= commit.through }

  /// The number of a client's last step that is stored; nil for one that is not known.
  package func lastStep(of client: UTF8Text) -> Int? { store.snapshot([], client).applied }

  func answer(to commit: Commit) -> CommitAnswer {
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

  /// A revision of before the store was cleared is none that it has now.
  private func earlier(_ revision: Int64) -> Int64 {
    revision > 0 ? max(revision - past, -1) : revision
  }
}
