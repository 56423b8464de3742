import SharingCore
import WasiStorage

/// A revision store in memory, for tests and for hosts without any other store.
///
/// Two environments over one such store are two programs.
///
/// ```swift
/// SharingEnvironment.current.stores.revisions = MemoryRevisionStore()
/// ```
public final class MemoryRevisionStore: RevisionStore, @unchecked Sendable {
  private let lock = Lock()
  private var records = CommitRecords()
  private let feed = RevisionFeed()

  /// Creates an empty store.
  public init() {}

  /// Answers at once.
  public func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    done(.success(snapshot(keys, client)))
  }

  /// Answers at once, and reports the commit to every watcher.
  public func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let answer = answer(to: commit)
    done(answer)
    if case .accepted(let stored, _) = answer { feed.publish(.success(stored)) }
  }

  /// Reports every commit, also the program's own.
  public func watch(
    _ onChange: @escaping @Sendable (StoreChanges) -> Void
  ) -> SharedSubscription {
    feed.watch(onChange)
  }

  /// Returns the stored value of a key.
  package func stored(_ key: KeyName) -> StoredRevision { lock.withLock { records[key] } }

  /// Returns the stored values of some keys, and a client's last step.
  package func snapshot(_ keys: [KeyName], _ client: UTF8Text) -> StoredSnapshot {
    lock.withLock { records.snapshot(keys, client) }
  }

  /// Stores a commit or returns a conflict, without a report to watchers.
  package func answer(
    to commit: Commit, knowing clientLimit: Int = CommitRecords.clientLimit
  ) -> CommitAnswer {
    lock.withLock { records.store(commit, clientLimit) }
  }
}
