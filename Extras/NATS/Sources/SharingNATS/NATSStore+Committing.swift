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
    if values.isEmpty {
      return putCopies(commit.copies, by: commit, done) {
        done(.accepted([], applied: commit.through))
      }
    }
    guard values.allSatisfy({ $0.key == key || $0.key == listKey }) else {
      return done(.failed(otherKey))
    }
    store(commit, values, isFirst: true, over: [], done)
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
  ///   - records: The records of the first values; the others are added.
  private func store(
    _ commit: Commit, _ values: [CommitEntry], isFirst: Bool, over records: [NATSRecord],
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    guard records.count < values.count else {
      return store(commit, values, over: records, done)
    }
    let entry = values[records.count]
    let known = state.withLock { $0.records[entry.key] }
    if isFirst, let known, known.revision == entry.expected {
      return store(commit, values, isFirst: isFirst, over: records + [known], done)
    }
    get(entry.key) { result in
      switch result {
      case .success(let record):
        self.store(commit, values, isFirst: isFirst, over: records + [record], done)
      case .failure(let error): done(.failed(error))
      }
    }
  }

  private func store(
    _ commit: Commit, _ values: [CommitEntry], over records: [NATSRecord],
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let stored = zip(records, values).map { $0.stored($1.key) }
    // The list of replaced values is stored before the value, so its steps do not count.
    let main = values.firstIndex { $0.key == key } ?? 0
    let applied = records[main].lastStep(of: commit.client)
    if let applied, applied >= commit.through { return done(.accepted(stored, applied: applied)) }
    guard applied ?? commit.after == commit.after,
      zip(values, stored).allSatisfy({ $0.expected == $1.revision })
    else { return done(.conflict(stored, applied: applied ?? commit.after)) }
    // Copies and the list first: the commit overwrites the values that they keep.
    let order = values.indices.filter { $0 != main } + [main]
    putCopies(commit.copies, by: commit, done) {
      self.put(order[...], of: values, over: records, [], commit, done)
    }
  }

  /// Puts entries one after the other. If another program was first, begins again.
  private func put(
    _ order: ArraySlice<Int>, of values: [CommitEntry], over records: [NATSRecord],
    _ stored: [StoredRevision], _ commit: Commit,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    guard let index = order.first else {
      return done(.accepted(stored, applied: commit.through))
    }
    let entry = values[index]
    let next = records[index].with(entry.bytes, by: commit.client, through: commit.through)
    put(next, entry.key, expecting: records[index]) { result in
      switch result {
      case .success(let sequence?):
        var next = next
        next.sequence = sequence
        _ = self.remember(next, entry.key)
        self.put(
          order.dropFirst(), of: values, over: records, stored + [next.stored(entry.key)], commit,
          done)
      case .success(nil): self.store(commit, values, isFirst: false, over: [], done)
      case .failure(let error): done(.failed(error))
      }
    }
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

extension Commit {
  /// The entries that replace any revision.
  fileprivate var copies: ArraySlice<CommitEntry> { entries.filter { $0.expected == nil }[...] }
}

extension CommitEntry {
  /// Whether the bytes, if there are any, are UTF-8.
  fileprivate var isText: Bool {
    guard let bytes else { return true }
    return String(validating: bytes, as: UTF8.self) != nil
  }
}
