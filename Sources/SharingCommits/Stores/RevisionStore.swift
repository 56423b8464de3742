import SharingCore
import WasiStorage

/// A store that detects conflicts. A commit names the revisions that it was made from. If another
/// program was first, the store refuses the commit, or has it rebased.
///
/// To write a store of your own, implement `load`, `commit` and `watch`. The keys take care of
/// pending changes, replays and journals:
///
/// ```swift
/// @Shared(.revisions("tally", in: store)) var tally = 0
/// $tally.update { $0 += 1 }  // applied exactly once, whoever else counts
/// ```
/// - A revision is a number that grows with each commit of a key. It never comes again, also after
///   the key's bytes are removed. A key that was never stored has revision 0.
/// - A commit stores all its entries and the number of its last step, or nothing.
/// - The store answers each call once, now or later, on any thread. It holds no lock while it calls
///   a closure.
public protocol RevisionStore: AnyObject, Sendable {
  /// Loads the stored values of some keys, in their order, and the number of the client's last
  /// stored step, all at one moment.
  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void)

  /// Stores a commit, unless it is already stored or was made from other revisions.
  /// - Parameters:
  ///   - commit: The commit to store.
  ///   - rebase: Returns new entries, for stores that can keep the transaction open meanwhile.
  ///     Other stores answer ``CommitAnswer/conflict(_:applied:)``.
  ///   - done: Receives the answer.
  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void)

  /// Calls `onChange` with commits of other programs, or of other connections to this store, until
  /// the subscription ends. Revisions may arrive late, twice and in any order.
  ///
  /// A failure says, once, that commits may be missed: of the key that it names, or of all keys. It
  /// becomes their `loadError`. The next revision of a key, even if it is known already, ends that.
  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription
}

/// Commits of other programs, or the reason why they may be missed.
///
/// ```swift
/// let subscription = store.watch { changes in
///   if case .success(let stored) = changes { for each in stored { print(each.revision) } }
/// }
/// ```
public typealias StoreChanges = Result<[StoredRevision], StorageError>

/// Returns new entries for a commit, made from the stored values.
///
/// The arguments are the stored values of the entries' keys, in their order, and the number of the
/// client's last stored step. If it returns nil, the store stores nothing and answers
/// ``CommitAnswer/conflict(_:applied:)``.
public typealias Rebase =
  @Sendable (_ stored: [StoredRevision], _ applied: Int) -> [CommitEntry]?

/// Reports commits to the watchers of a revision store.
package final class RevisionFeed: @unchecked Sendable {
  private let lock = Lock()
  private var watchers: [Watcher] = []

  package init() {}

  package func watch(
    _ onChange: @escaping @Sendable (StoreChanges) -> Void
  ) -> SharedSubscription {
    let watcher = Watcher(onChange)
    lock.withLock { watchers.append(watcher) }
    return SharedSubscription {
      self.lock.withLock { self.watchers = self.watchers.filter { $0 !== watcher } }
    }
  }

  package func publish(_ changes: StoreChanges) {
    for watcher in lock.withLock({ watchers }) { watcher.onChange(changes) }
  }
}

private final class Watcher: Sendable {
  let onChange: @Sendable (StoreChanges) -> Void

  init(_ onChange: @escaping @Sendable (StoreChanges) -> Void) {
    self.onChange = onChange
  }
}
