import SharingCore

/// A store that knows what was stored before: a commit names the revisions that it was made from,
/// and is refused, or made anew, where another program was first.
///
/// A store of one's own implements these three functions. What is pending, what is made again, and
/// what is kept for a program that ends, is the concern of the keys:
///
/// ```swift
/// @Shared(.revisions("tally", in: store)) var tally = 0
/// $tally.update { $0 += 1 }  // applied exactly once, whoever else counts
/// ```
/// - A revision is a number that grows with each commit of a key and never comes again, also when
///   the key's bytes are removed; 0 is that of a key that has never been stored.
/// - All entries of a commit are stored, or none, and with them the number of its last step.
/// - It answers once, now or later, on any thread, and calls nothing while it holds a lock.
public protocol RevisionStore: AnyObject, Sendable {
  /// Answers with what is stored under some keys, in their order, and with a client's last step
  /// that is, all at one moment.
  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void)

  /// Stores a commit, unless it has been stored before or was made from other revisions.
  /// - Parameters:
  ///   - commit: What to store.
  ///   - rebase: Makes the entries anew; for stores that can wait with the transaction open. Others
  ///     answer ``CommitAnswer/conflict(_:applied:)``.
  ///   - done: Hears the answer.
  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void)

  /// Calls `onChange` with what other programs, or other connections to this store, have committed,
  /// until the subscription ends. Revisions may come late, twice and in any order.
  ///
  /// A failure says, once, that commits of the key that it names may not be heard of any more, or
  /// those of all keys: their `loadError` is that. What is told of a key, also what is known, says
  /// that they are again.
  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription

  /// Tells what is stored under all keys that begin with a prefix, and then what changes there,
  /// also by this program, until the subscription ends. What changes while all is told may come
  /// before that.
  ///
  /// A store need not have it: the default answers that it cannot.
  func list(
    prefix: KeyName, _ onListing: @escaping @Sendable (RevisionListing) -> Void
  ) -> SharedSubscription
}

extension RevisionStore {
  /// Answers that the store lists no keys.
  public func list(
    prefix: KeyName, _ onListing: @escaping @Sendable (RevisionListing) -> Void
  ) -> SharedSubscription {
    onListing(
      .failed(StorageError(.unavailable, key: prefix, "This store does not list its keys.")))
    return SharedSubscription {}
  }
}

/// What others have committed; or why that may not be heard of any more.
///
/// ```swift
/// let subscription = store.watch { changes in
///   if case .success(let stored) = changes { for each in stored { print(each.revision) } }
/// }
/// ```
public typealias StoreChanges = Result<[StoredRevision], StorageError>

/// Makes a commit's entries anew on what is stored.
///
/// It is given what is stored under the entries' keys, in their order, and the number of the
/// client's last step in the store. It returns nil where that is not to be done now: then nothing
/// is stored, and the answer is ``CommitAnswer/conflict(_:applied:)``.
public typealias Rebase =
  @Sendable (_ stored: [StoredRevision], _ applied: Int) -> [CommitEntry]?
