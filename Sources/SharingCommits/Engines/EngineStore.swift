import CHost
import SharingCore
import WasiStorage

/// A revision store of the page: an engine that was passed to `start` under a name, or the one
/// that `start` loads for `.indexedDB` keys.
final class EngineStore: RevisionStore {
  /// The engine of `.indexedDB` keys. Shared by all environments, like the page; the first one
  /// opens it.
  static let indexedDB = EngineStore("indexedDB")

  /// Opens the engine of `.indexedDB` keys for an app's name. If it cannot be loaded or opened,
  /// each call fails with the reason.
  static func openIndexedDB(_ appName: UTF8Text) -> EngineStore {
    _ = sharing_engine_indexeddb(appName.bytes, appName.bytes.byteCount32)
    return indexedDB
  }

  private let name: EngineName

  init(_ name: EngineName) {
    self.name = name
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    EngineCalls.ofPage.call(
      "load", name, [client] + keys.map { UTF8Text($0.bytes) }, .load(done))
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    EngineCalls.ofPage.call(
      "commit", name,
      [commit.client, "\(commit.after)", "\(commit.through)"] + commit.entries.words,
      .commit(commit, rebase: rebase, done))
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    // Without a page, any thread may call this.
    EngineCalls.isInPage(name)
      ? EngineCalls.ofPage.watch(name).feed.watch(onChange) : SharedSubscription {}
  }
}
