// Watches files for changes by other programs. A WASI runtime does not report any.
#if hasFeature(Embedded) || os(WASI)
  import SharingCore

  /// Watches files for changes by other programs.
  package enum FileWatcher {
    /// Returns the subscription as it is: the host reports no changes.
    package static func watch(
      _ path: @autoclosure () -> [UInt8], beside subscription: SharedSubscription,
      _ onChange: @escaping @Sendable () -> Void
    ) -> SharedSubscription { subscription }
  }
#else
  import Foundation
  import SharingCore

  /// Watches files for changes by other programs, on one thread for all of them.
  ///
  /// It watches the folder, once for all of its files: a file that is replaced, removed or moved
  /// back is another file with the same name. It follows the path, and not the folder to which the
  /// path led first: all folders and symbolic links on the path are watched, too. A file or folder
  /// that is missing, or cannot be watched, is checked twice a second.
  package final class FileWatcher: @unchecked Sendable {
    private static let shared = FileWatcher()

    private let events = FolderEvents()
    private let lock = Lock()
    private var folders: [[UInt8]: WatchedFolder] = [:]
    private var isRunning = false
    private var lastPoll = ContinuousClock.now

    /// Calls `onChange`, on a separate thread, when the file may have changed.
    /// - Returns: A subscription that ends this and the given one.
    package static func watch(
      _ path: [UInt8], beside subscription: SharedSubscription,
      _ onChange: @escaping @Sendable () -> Void
    ) -> SharedSubscription {
      let file = WatchedFile(path, onChange)
      shared.add(file)
      return SharedSubscription {
        subscription.cancel()
        shared.remove(file)
      }
    }

    private func add(_ file: WatchedFile) {
      let isFirst = lock.withLock {
        place(file)
        defer { isRunning = true }
        return !isRunning
      }
      reportWatchError()
      if isFirst { Thread.detachNewThread { self.run() } }
    }

    private func remove(_ file: WatchedFile) {
      lock.withLock {
        file.isRemoved = true
        move(file, to: [])
      }
    }

    /// Follows the file in all of its current places. The lock is held.
    private func place(_ file: WatchedFile) {
      guard !file.isRemoved else { return }
      // Repeats until nothing differs: a link may change before its folder is watched.
      while case let places = FilePlace.all(of: file.path), places != file.places {
        move(file, to: places)
      }
    }

    private func move(_ file: WatchedFile, to places: [FilePlace]) {
      let former = file.places
      file.places = places
      for place in places where !former.contains(place) {
        folder(at: place.folder).add(file, as: place.name)
      }
      for place in former where !places.contains(place) {
        guard let folder = folders[place.folder], folder.remove(file, as: place.name) else {
          continue
        }
        folder.end(events)
        folders[place.folder] = nil
      }
    }

    private func folder(at path: [UInt8]) -> WatchedFolder {
      if let known = folders[path] { return known }
      let made = WatchedFolder(path, events)
      folders[path] = made
      if !made.isWatched { events.wake() }  // it may wait without a limit
      return made
    }

    private func run() {
      while true {
        let isWatched = lock.withLock { folders.values.allSatisfy { $0.isWatched } }
        let changes = events.next(mayWait: isWatched)
        for file in lock.withLock({ files(changedBy: changes) }) { file.onChange() }
        reportWatchError()
        // Collects the next events, so that a program that writes often is not slowed by each one.
        usleep(1000)
      }
    }

    /// The files that may have changed, each followed to its current places.
    private func files(changedBy changes: [FolderEvents.Change]) -> [WatchedFile] {
      let now = ContinuousClock.now
      let isPollDue = now - lastPoll >= .milliseconds(Int(FolderEvents.pollInterval))
      if isPollDue { lastPoll = now }
      var changed = folders.values.flatMap { $0.files(changedBy: changes, events) }
      if isPollDue { changed += folders.values.flatMap { $0.poll(events) } }
      for file in changed { place(file) }
      return changed
    }

    private func reportWatchError() {
      if let message = events.takeWatchError() {
        SharingEnvironment.current.onIssue(SharingIssue(message))
      }
    }
  }

  /// A listener for one file. Its variables are guarded by the watcher's lock.
  final class WatchedFile: @unchecked Sendable {
    let path: [UInt8]
    let onChange: @Sendable () -> Void
    /// The places where the file is followed.
    var places: [FilePlace] = []
    var isRemoved = false

    init(_ path: [UInt8], _ onChange: @escaping @Sendable () -> Void) {
      self.path = path
      self.onChange = onChange
    }
  }
#endif
