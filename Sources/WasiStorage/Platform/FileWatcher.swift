// Who tells of changes that other programs make to files. A WASI runtime does not.
#if hasFeature(Embedded) || os(WASI)
  import SharingCore

  /// Tells of changes that other programs make to files.
  enum FileWatcher {
    /// Nobody can tell.
    static func watch(
      _ path: @autoclosure () -> [UInt8], _ onChange: @escaping @Sendable () -> Void
    ) {}
  }

  extension SharedSubscription {
    func and(_ nothing: Void) -> SharedSubscription { self }
  }
#else
  import Foundation
  import SharingCore

  /// Tells of changes that other programs make to files, from one thread for all of them.
  ///
  /// It is the folder that is watched, once for all of its files: a file that is replaced, removed
  /// or moved back is another file by the same name. A path is followed, and not the folder that it
  /// led to first: all folders and symbolic links on the way are watched, too. What is missing, or
  /// cannot be watched, is looked for twice a second.
  final class FileWatcher: @unchecked Sendable {
    private static let shared = FileWatcher()

    private let events = FolderEvents()
    private let lock = Lock()
    private var folders: [[UInt8]: WatchedFolder] = [:]
    private var isRunning = false
    private var lastLook = ContinuousClock.now

    /// Calls `onChange`, on a thread of its own, when the file may have changed, until the
    /// subscription ends.
    static func watch(
      _ path: [UInt8], _ onChange: @escaping @Sendable () -> Void
    ) -> SharedSubscription {
      let file = WatchedFile(path, onChange)
      shared.add(file)
      return SharedSubscription { shared.remove(file) }
    }

    private func add(_ file: WatchedFile) {
      let isFirst = lock.withLock {
        place(file)
        defer { isRunning = true }
        return !isRunning
      }
      reportRefusal()
      if isFirst { Thread.detachNewThread { self.run() } }
    }

    private func remove(_ file: WatchedFile) {
      lock.withLock {
        file.hasLeft = true
        move(file, to: [])
      }
    }

    /// Follows the file in all places where it is now. The lock is held.
    private func place(_ file: WatchedFile) {
      guard !file.hasLeft else { return }
      // Until nothing differs: a link may be switched before its folder is watched.
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
      if !made.isWatched { events.wake() }  // it may be waiting without an end
      return made
    }

    private func run() {
      while true {
        let isWatched = lock.withLock { folders.values.allSatisfy { $0.isWatched } }
        let changes = events.next(mayWait: isWatched)
        for file in lock.withLock({ files(changedBy: changes) }) { file.onChange() }
        reportRefusal()
        // Who writes again and again is not held up each time: what happens meanwhile waits.
        usleep(1000)
      }
    }

    /// The files that may have changed, each followed to where its name leads now.
    private func files(changedBy changes: [FolderEvents.Change]) -> [WatchedFile] {
      let now = ContinuousClock.now
      let mustLook = now - lastLook >= .milliseconds(Int(FolderEvents.patience))
      if mustLook { lastLook = now }
      var changed = folders.values.flatMap { $0.files(changedBy: changes, events) }
      if mustLook { changed += folders.values.flatMap { $0.look(events) } }
      for file in changed { place(file) }
      return changed
    }

    private func reportRefusal() {
      if let message = events.takeRefusal() {
        SharingEnvironment.current.onIssue(SharingIssue(message))
      }
    }
  }

  extension SharedSubscription {
    /// A subscription that ends both.
    func and(_ other: SharedSubscription) -> SharedSubscription {
      SharedSubscription {
        self.cancel()
        other.cancel()
      }
    }
  }

  /// Somebody who hears of a file. What varies is guarded by the watcher's lock.
  final class WatchedFile: @unchecked Sendable {
    let path: [UInt8]
    let onChange: @Sendable () -> Void
    /// Where the file is followed.
    var places: [FilePlace] = []
    var hasLeft = false

    init(_ path: [UInt8], _ onChange: @escaping @Sendable () -> Void) {
      self.path = path
      self.onChange = onChange
    }
  }
#endif
