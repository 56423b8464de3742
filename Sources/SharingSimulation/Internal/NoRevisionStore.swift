import SharingCore
import WasiStorage

/// What the tabs of a simulation have in place of a revision store: whoever uses it is told that a
/// simulation has none.
final class NoRevisionStore: RevisionStore {
  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    SharingEnvironment.current.onIssue(SharingIssue(error(keys.first).text))
    done(.failure(error(keys.first)))
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    done(.failed(error(commit.entries.first?.key)))
  }

  func watch(_ onNews: @escaping @Sendable (StoreNews) -> Void) -> SharedSubscription {
    SharedSubscription {}
  }

  private func error(_ key: KeyName?) -> StorageError {
    StorageError(
      .unavailable, key: key,
      """
      A simulation has no revision store, so it cannot tell whether a value under .indexedDB or \
      .revisions loses anything. Test it with several environments over one MemoryRevisionStore, \
      or simulate it under .localStorage.
      """)
  }
}
