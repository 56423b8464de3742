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
    guard commit.entries.allSatisfy({ $0.expected == nil || $0.key == key || $0.key == listKey })
    else { return done(.failed(otherKey)) }
    store(commit, isFirst: true, over: [], done)
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

  /// - Parameters:
  ///   - isFirst: Whether known records are enough.
  ///   - records: The records of the first entries, nil for a copy; the others are added.
  private func store(
    _ commit: Commit, isFirst: Bool, over records: [NATSRecord?],
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    guard records.count < commit.entries.count else { return store(commit, over: records, done) }
    let entry = commit.entries[records.count]
    let known = state.withLock { $0.records[entry.key] }
    if entry.expected == nil {
      store(commit, isFirst: isFirst, over: records + [nil], done)
    } else if isFirst, known?.revision == entry.expected {
      store(commit, isFirst: isFirst, over: records + [known], done)
    } else {
      get(entry.key) { result in
        switch result {
        case .success(let record):
          self.store(commit, isFirst: isFirst, over: records + [record], done)
        case .failure(let error): done(.failed(error))
        }
      }
    }
  }

  private func store(
    _ commit: Commit, over records: [NATSRecord?],
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let parts = Array(zip(commit.entries, records))
    let values = parts.compactMap { entry, record in record.map { (entry, $0) } }
    let stored = values.map { $1.stored($0.key) }
    // The list of replaced values is stored before the value, so its steps do not count.
    let main = values.first { $0.0.key == key } ?? values.first
    let applied = main?.1.seen.lastStep(of: commit.client)
    if let applied, applied >= commit.through { return done(.accepted(stored, applied: applied)) }
    guard applied ?? commit.after == commit.after,
      values.allSatisfy({ $0.expected == $1.revision })
    else { return done(.conflict(stored, applied: applied ?? commit.after)) }
    // Copies and the list first: the commit overwrites the values that they keep.
    let sorted = parts.filter { $0.0.key != key } + parts.filter { $0.0.key == key }
    put(sorted[...], of: commit, [], done)
  }

  /// Puts entries one after the other. If another program was first, begins again.
  private func put(
    _ parts: ArraySlice<(CommitEntry, NATSRecord?)>, of commit: Commit,
    _ stored: [StoredRevision], _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    guard let (entry, last) = parts.first else {
      return done(.accepted(stored, applied: commit.through))
    }
    let record = (last ?? NATSRecord()).with(
      entry.bytes, by: commit.client, through: commit.through)
    put(record, entry.key, expecting: last) { result in
      switch result {
      case .success(let sequence?):
        var (record, stored) = (record, stored)
        if last != nil {
          record.sequence = sequence
          _ = self.remember(record, entry.key)
          stored.append(record.stored(entry.key))
        }
        self.put(parts.dropFirst(), of: commit, stored, done)
      case .success(nil): self.store(commit, isFirst: false, over: [], done)
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
