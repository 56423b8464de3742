import SharingCommits
import SharingCore
import WasiStorage

/// A revision store that forwards everything to another one; subclasses break one promise each.
class PassingStore: RevisionStore, @unchecked Sendable {
  let base: any RevisionStore

  required init(_ base: any RevisionStore) {
    self.base = base
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    base.load(keys, client: client, done)
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    base.commit(commit, rebase: rebase, done)
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    base.watch(onChange)
  }
}

/// Accepts each fifth commit without storing it.
final class LosingStore: PassingStore, @unchecked Sendable {
  private var count = 0

  override func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    count += 1
    guard count % 5 == 0 else { return base.commit(commit, rebase: rebase, done) }
    base.load(commit.entries.map { $0.key }, client: commit.client) { answer in
      guard case .success(let now) = answer else { return done(.failed(Self.failure)) }
      let stored = zip(commit.entries, now.revisions).map { entry, stored in
        StoredRevision(key: entry.key, revision: stored.revision + 1, bytes: entry.bytes)
      }
      done(.accepted(stored, applied: commit.through))
    }
  }

  private static var failure: StorageError { StorageError(.other, key: nil, "It fails.") }
}

/// Stores each commit under another client's name, and so does not detect a repetition.
final class NamelessStore: PassingStore, @unchecked Sendable {
  private var count = 0

  override func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    count += 1
    let other = Commit(
      client: "\(commit.client), \(count)", after: commit.after, through: commit.through,
      entries: commit.entries)
    base.commit(other, rebase: rebase, done)
  }
}

/// Stores a commit regardless of the stored revision.
final class OverwritingStore: PassingStore, @unchecked Sendable {
  override func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let entries = commit.entries.map {
      CommitEntry(key: $0.key, expected: nil, bytes: $0.bytes)
    }
    base.commit(
      Commit(
        client: commit.client, after: commit.after, through: commit.through, entries: entries),
      rebase: rebase, done)
  }
}

/// Stores only the first entry of a commit.
final class PartialStore: PassingStore, @unchecked Sendable {
  override func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let rest = commit.entries.dropFirst().map {
      StoredRevision(key: $0.key, revision: ($0.expected ?? 0) + 1, bytes: $0.bytes)
    }
    let first = Commit(
      client: commit.client, after: commit.after, through: commit.through,
      entries: Array(commit.entries.prefix(1)))
    let rebaseFirst: Rebase = { stored, applied in
      rebase(stored + rest, applied).map { Array($0.prefix(1)) }
    }
    base.commit(first, rebase: rebaseFirst) {
      switch $0 {
      case .accepted(let stored, let applied): done(.accepted(stored + rest, applied: applied))
      case .conflict(let stored, let applied): done(.conflict(stored + rest, applied: applied))
      case .failed: done($0)
      }
    }
  }
}

/// Answers conflicts with the revisions of the first one.
final class OutdatedStore: PassingStore, @unchecked Sendable {
  private var first: [StoredRevision] = []

  override func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    base.commit(commit, rebase: rebase) { [self] answer in
      guard case .conflict(let stored, let applied) = answer else { return done(answer) }
      let old = stored.map { now in first.first { $0.key == now.key } ?? now }
      first += stored.filter { now in !first.contains { $0.key == now.key } }
      done(.conflict(old, applied: applied))
    }
  }
}

/// Answers a conflicting commit with success.
final class HastyStore: PassingStore, @unchecked Sendable {
  override func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    base.commit(commit, rebase: rebase) { answer in
      guard case .conflict(let stored, _) = answer else { return done(answer) }
      done(.accepted(stored, applied: commit.through))
    }
  }
}

/// Notifies of others' commits with the bytes of the previous notification.
final class RepeatingStore: PassingStore, @unchecked Sendable {
  private var last: [KeyName: StoredRevision] = [:]

  override func watch(
    _ onChange: @escaping @Sendable (StoreChanges) -> Void
  ) -> SharedSubscription {
    base.watch { [self] changes in
      guard case .success(let stored) = changes else { return onChange(changes) }
      let old = stored.map { now in
        StoredRevision(
          key: now.key, revision: now.revision, bytes: last[now.key].map { $0.bytes } ?? now.bytes)
      }
      for now in stored { last[now.key] = now }
      onChange(.success(old))
    }
  }
}

/// Never notifies.
final class SilentStore: PassingStore, @unchecked Sendable {
  override func watch(
    _ onChange: @escaping @Sendable (StoreChanges) -> Void
  ) -> SharedSubscription {
    SharedSubscription {}
  }
}
