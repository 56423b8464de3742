import SharingCommits
import SharingCore
import WasiStorage

/// A store with only the three required functions. It counts its watchers.
final class UnlistedStore: RevisionStore, @unchecked Sendable {
  private let store = MemoryRevisionStore()
  private(set) var watchCount = 0
  var onFirstWatch: () -> Void = {}
  /// Called after the answer to a load.
  var onLoad: () -> Void = {}

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    store.load(keys, client: client, done)
    onLoad()
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    store.commit(commit, rebase: rebase, done)
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    watchCount += 1
    if watchCount == 1 { onFirstWatch() }
    return store.watch(onChange)
  }
}
