import SharingCore
import WasiStorage

/// A revision store in memory that begins with the values of another one, to try commits there.
final class RehearsalRevisionStore: RevisionStore, @unchecked Sendable {
  let original: any RevisionStore
  private let copy = MemoryRevisionStore()

  init(over original: any RevisionStore) {
    self.original = original
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    original.load(keys, client: client) { [copy] result in
      if case .success(let snapshot) = result {
        for stored in snapshot.revisions where copy.stored(stored.key).revision == 0 {
          copy.begin(with: stored)
        }
      }
      done(result.map { _ in copy.snapshot(keys, client) })
    }
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    copy.commit(commit, rebase: rebase, done)
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    SharedSubscription {}
  }
}
