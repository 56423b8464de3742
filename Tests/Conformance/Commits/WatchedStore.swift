import SharingCommits
import SharingCore
import WasiStorage

/// A store that counts its watchers.
final class WatchedStore: ForwardingStore, @unchecked Sendable {
  let base = MemoryRevisionStore()
  private(set) var watchCount = 0
  var onFirstWatch: () -> Void = {}
  /// Called after the answer to a load.
  var onLoad: () -> Void = {}

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    base.load(keys, client: client, done)
    onLoad()
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    watchCount += 1
    if watchCount == 1 { onFirstWatch() }
    return base.watch(onChange)
  }
}
