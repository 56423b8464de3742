import SharingCommits
import SharingCore
import WasiStorage

/// A store that passes its calls on to another one. A double replaces one of them.
package protocol ForwardingStore: RevisionStore {
  associatedtype Base: RevisionStore
  var base: Base { get }
}

extension ForwardingStore {
  package func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    base.load(keys, client: client, done)
  }

  package func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    base.commit(commit, rebase: rebase, done)
  }

  package func watch(
    _ onChange: @escaping @Sendable (StoreChanges) -> Void
  ) -> SharedSubscription {
    base.watch(onChange)
  }
}
