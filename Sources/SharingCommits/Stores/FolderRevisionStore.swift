import SharingCore
import WasiStorage

/// A revision store in a folder, shared by programs of any kind: native ones, and those under a
/// WASI runtime.
///
/// ```swift
/// SharingEnvironment.current.stores.revisions = FolderRevisionStore(folder: ".sharing/revisions")
/// ```
/// ```
/// state@8.b1f0-3   an empty file; its name says that b1f0-3 is the current state, the eighth
/// data.b1f0-3      the bytes of that state
/// ```
/// A commit writes the new state completely, and then renames the old state's name to the new one.
/// If several programs do so at once, exactly one of them finds the old name. There is no lock that
/// a crashed program could hold, and no name is used twice. The store survives the end of programs
/// at any point. It syncs files and folder, so a power failure loses no answered commit.
///
/// Each commit writes the values of all keys, so use it for some hundred kilobytes in all.
public final class FolderRevisionStore: RevisionStore, @unchecked Sendable {
  let folder: UTF8Text
  private let following: StoreFollowing
  private let lock = Lock()
  /// The current state when it was last read.
  var known: FolderState?
  /// The records that the watchers have received.
  private var published: CommitRecords?
  /// Whether the watchers have received a read error, and no change since.
  private var hasFailed = false
  var nextNumber = 1
  /// The beginning of the names that this store makes.
  let author = UTF8Text.randomName
  private let feed = RevisionFeed()

  /// Creates a store in a folder of its own. The first commit makes the folder.
  /// - Parameters:
  ///   - folder: The folder's path, absolute or relative to the current folder.
  ///   - following: Whether watchers also receive other programs' commits.
  public init(folder: UTF8Text, following: StoreFollowing = .always) {
    self.folder = folder.asFolderPath
    self.following = following
  }

  /// Answers at once.
  public func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    done(
      locked { () throws(StorageError) in
        // A load of a missing folder does not make it.
        let records = try names() == nil ? CommitRecords() : current().records
        return records.snapshot(keys, client)
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

  /// Reports commits through this store, and natively those of other programs, within 0.3 s.
  public func watch(
    _ onChange: @escaping @Sendable (StoreChanges) -> Void
  ) -> SharedSubscription {
    let subscription = feed.watch(onChange)
    guard case .always = following else { return subscription }
    lock.withLock { published = published ?? known?.records }
    let both = FilePoll.follow(path("").bytes, beside: subscription) {
      self.publishChanges()
    }
    if hasThreads { publishChanges() }  // those since the load
    return both
  }

  /// Reports changes by other programs or, once, the error that prevents reading them. After an
  /// error, the next success reports all values. A missing folder is not made: another one may be
  /// moved there next.
  package func publishChanges() {
    var isRepeated = false
    let changes: StoreChanges = locked { () throws(StorageError) in
      let before = published
      (published, isRepeated, hasFailed) = (nil, hasFailed, true)
      guard try names() != nil else {
        (published, hasFailed) = (before, isRepeated)
        return []
      }
      let now = try current().records
      (published, hasFailed) = (now, false)
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
