import SharingCore

/// A revision store in a folder, which programs of any kind share: native ones, and those under a
/// WASI runtime.
///
/// ```swift
/// SharingEnvironment.current.stores.revisions = FolderRevisionStore(folder: ".sharing/revisions")
/// ```
/// ```
/// state@8.b1f0-3   an empty file, whose name says which state is the current one, the eighth
/// data.b1f0-3      the bytes of that state
/// ```
/// Who commits writes the bytes of the new state whole, and then renames the old state's name to
/// the new one: of several programs that do so at once, exactly one finds the old name. There is no
/// lock that somebody who dies could hold, and no name is ever used twice. It survives the end of
/// programs at any point; a power failure may take what was stored last.
///
/// Each commit writes the values of all keys: it is for some hundred kilobytes in all.
public final class FolderRevisionStore: RevisionStore, @unchecked Sendable {
  let folder: UTF8Text
  private let following: FileStore.Following
  private let lock = Lock()
  /// The state that was current when it was last looked for.
  var known: FolderState?
  /// The records of which watchers have heard.
  private var told: CommitRecords?
  /// Whether they have heard why it cannot be read, and nothing since.
  private var hasFailed = false
  var nextNumber = 1
  /// Begins the names that this store makes.
  let author = UTF8Text.randomName
  private let feed = RevisionFeed()

  /// A store in a folder of its own, which is made when something is first stored or read.
  /// - Parameters:
  ///   - folder: The folder's path, absolute or relative to the current folder.
  ///   - following: Whether it tells of what other programs commit, as soon as the host tells.
  public init(folder: UTF8Text, following: FileStore.Following = .always) {
    self.folder = folder
    self.following = following
  }

  /// Answers at once.
  public func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    done(
      locked { () throws(StorageError) in
        try current().records.snapshot(keys, client)
      })
  }

  /// Answers at once.
  public func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let answer = locked { () throws(StorageError) in try store(commit) }
    switch answer {
    case .success(let answer):
      done(answer)
      if case .accepted(let stored, _) = answer { feed.publish(.success(stored)) }
    case .failure(let error): done(.failed(error))
    }
  }

  /// Tells of commits through this store, and of those of other programs as soon as the host tells:
  /// natively, and not under a WASI runtime.
  public func watch(
    _ onChange: @escaping @Sendable (StoreChanges) -> Void
  ) -> SharedSubscription {
    let subscription = feed.watch(onChange)
    guard case .always = following else { return subscription }
    lock.withLock { told = told ?? known?.records }
    return subscription.and(FileWatcher.watch(path("").bytes) { self.look() })
  }

  /// Tells of what other programs have stored; or, once, why that cannot be read. All is told again
  /// after that. A folder that is missing is not made: another one may be moved there next.
  package func look() {
    var isRepeated = false
    let changes: StoreChanges = locked { () throws(StorageError) in
      let before = told
      (told, isRepeated, hasFailed) = (nil, hasFailed, true)
      guard try hasState() else {
        (told, hasFailed) = (before, isRepeated)
        return []
      }
      let now = try current().records
      (told, hasFailed) = (now, false)
      return now.values.filter { before?[$0.key] != $0 }
    }
    switch changes {
    case .success(let stored) where stored.isEmpty: break
    case .failure where isRepeated: break
    default: feed.publish(changes)
    }
  }

  private func locked<Output>(
    _ body: () throws(StorageError) -> Output
  ) -> Result<Output, StorageError> {
    lock.withLock {
      do throws(StorageError) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
  }
}
