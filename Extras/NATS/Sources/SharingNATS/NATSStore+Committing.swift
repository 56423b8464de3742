import SharingCommits
import SharingCore
import WasiStorage

// Commits changes of the program.
extension NATSStore {
  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    if let entry = commit.entries.first(where: { !$0.isText }) {
      return done(.failed(noText(entry.key)))
    }
    let values = commit.entries.filter { $0.expected != nil }
    guard let entry = values.first else {
      return putCopies(commit, done) { done(.accepted([], applied: commit.through)) }
    }
    guard values.count == 1, entry.key == key else { return done(.failed(otherKey)) }
    let known = state.withLock { $0.records[entry.key] }
    if let known, known.revision == entry.expected { return store(commit, entry, known, done) }
    getAndStore(commit, entry, done)
  }

  private func noText(_ key: KeyName) -> StorageError {
    StorageError(
      .other, key: key,
      """
      The value of "\(key)" is not UTF-8, and a bucket stores text only. Use a coding that writes \
      text, such as Base64.
      """)
  }

  private var otherKey: StorageError {
    StorageError(
      .other, key: key,
      """
      This store is for the key "\(key)" only: give the engine one store for each key, with \
      engines.use(for: .world) { server.store(for: $0) }.
      """)
  }

  private func getAndStore(
    _ commit: Commit, _ entry: CommitEntry, _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    get(entry.key) { result in
      switch result {
      case .success(let record): self.store(commit, entry, record, done)
      case .failure(let error): done(.failed(error))
      }
    }
  }

  private func store(
    _ commit: Commit, _ entry: CommitEntry, _ record: NATSRecord,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let applied = record.lastStep(of: commit.client)
    let stored = [record.stored(entry.key)]
    if let applied, applied >= commit.through { return done(.accepted(stored, applied: applied)) }
    guard applied ?? commit.after == commit.after, entry.expected == record.revision else {
      return done(.conflict(stored, applied: applied ?? commit.after))
    }
    // Copies first: the commit overwrites the values that they keep.
    putCopies(commit, done) {
      let next = record.with(entry.bytes, by: commit.client, through: commit.through)
      self.put(next, entry.key, expecting: record) { result in
        switch result {
        case .success(let sequence?):
          var next = next
          next.sequence = sequence
          _ = self.remember(next, entry.key)
          done(.accepted([next.stored(entry.key)], applied: commit.through))
        case .success(nil): self.getAndStore(commit, entry, done)
        case .failure(let error): done(.failed(error))
        }
      }
    }
  }

  private func putCopies(
    _ commit: Commit, _ done: @escaping @Sendable (CommitAnswer) -> Void,
    _ next: @escaping @Sendable () -> Void
  ) {
    let copies = commit.entries.filter { $0.expected == nil }
    putCopies(copies[...], by: commit, done, next)
  }

  private func putCopies(
    _ copies: ArraySlice<CommitEntry>, by commit: Commit,
    _ done: @escaping @Sendable (CommitAnswer) -> Void, _ next: @escaping @Sendable () -> Void
  ) {
    guard let copy = copies.first else { return next() }
    let record = NATSRecord().with(copy.bytes, by: commit.client, through: commit.through)
    put(record, copy.key, expecting: nil) { result in
      switch result {
      case .success: self.putCopies(copies.dropFirst(), by: commit, done, next)
      case .failure(let error): done(.failed(error))
      }
    }
  }
}

extension CommitEntry {
  /// Whether the bytes, if there are any, are UTF-8.
  fileprivate var isText: Bool {
    guard let bytes else { return true }
    return String(validating: bytes, as: UTF8.self) != nil
  }
}
