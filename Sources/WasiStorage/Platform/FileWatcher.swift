// Who tells of changes that other programs make to files. A WASI runtime does not.
#if hasFeature(Embedded)
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
  /// or moved back is another file by the same name. While there is no such folder, it is looked
  /// for twice a second. Of a symbolic link, what it leads to at first is watched as well.
  final class FileWatcher: @unchecked Sendable {
    private static let shared = FileWatcher()

    private let events = FolderEvents()
    private let lock = Lock()
    private var folders: [[UInt8]: WatchedFolder] = [:]
    private var isRunning = false

    /// Calls `onChange`, on a thread of its own, when the file may have changed, until the
    /// subscription ends.
    static func watch(
      _ path: [UInt8], _ onChange: @escaping @Sendable () -> Void
    ) -> SharedSubscription {
      let subscription = shared.add(WatchedFile(path, onChange))
      guard let target = target(of: path) else { return subscription }
      return subscription.and(shared.add(WatchedFile(target, onChange)))
    }

    /// Where a symbolic link leads now; nil where there is none.
    private static func target(of path: [UInt8]) -> [UInt8]? {
      let path = String(decoding: path, as: UTF8.self)
      var byte: CChar = 0
      guard readlink(path, &byte, 1) >= 0, let target = realpath(path, nil) else { return nil }
      defer { free(target) }
      return Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
    }

    private func add(_ file: WatchedFile) -> SharedSubscription {
      let (isFirst, isNew) = lock.withLock {
        let known = folders[file.folder]
        let folder = known ?? WatchedFolder(file.folder, events)
        folders[file.folder] = folder
        folder.add(file)
        defer { isRunning = true }
        return (!isRunning, known == nil)
      }
      if isFirst { Thread.detachNewThread { self.run() } } else if isNew { events.wake() }
      return SharedSubscription { self.remove(file) }
    }

    private func remove(_ file: WatchedFile) {
      lock.withLock {
        guard let folder = folders[file.folder], folder.remove(file) else { return }
        folders[file.folder] = nil
        // Another path may be one of the same folder.
        guard let watch = folder.watch, !folders.values.contains(where: { $0.watch == watch })
        else { return }
        events.unwatch(watch)
      }
    }

    private func run() {
      while true {
        let isComplete = lock.withLock { folders.values.allSatisfy { $0.watch != nil } }
        let changes = events.next(mayWait: isComplete)
        let changed = lock.withLock {
          folders.values.flatMap { $0.files(changedBy: changes, events) }
        }
        for file in changed { file.onChange() }
        // Who writes again and again is not held up each time: what happens meanwhile waits.
        usleep(1000)
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

  /// A folder in which files are watched. The watcher's lock is held.
  private final class WatchedFolder {
    private let path: String
    private var files: [[UInt8]: [WatchedFile]] = [:]
    /// What the events call the folder; nil while there is none.
    private(set) var watch: FolderEvents.Watch?

    init(_ path: [UInt8], _ events: FolderEvents) {
      self.path = String(decoding: path, as: UTF8.self)
      watch = events.watch(self.path)
    }

    func add(_ file: WatchedFile) {
      files[file.name, default: []].append(file)
    }

    /// - Returns: Whether no file is left.
    func remove(_ file: WatchedFile) -> Bool {
      files[file.name]?.removeAll { $0 === file }
      if files[file.name]?.isEmpty == true { files[file.name] = nil }
      return files.isEmpty
    }

    /// Which files may have changed, when that has happened.
    func files(changedBy changes: [FolderEvents.Change], _ events: FolderEvents) -> [WatchedFile] {
      guard let watch else {
        watch = events.watch(path)
        return watch == nil ? [] : all
      }
      let own = changes.filter { $0.watch == nil || $0.watch == watch }
      if own.contains(where: { $0.isEnd }) {
        events.unwatch(watch)  // a folder that was moved away
        self.watch = nil
      }
      if own.contains(where: { $0.name == nil }) { return all }
      let ofAll = own.isEmpty ? [] : files[[]] ?? []  // a path that ends in a slash
      return Set(own.compactMap { $0.name }).flatMap { files[$0] ?? [] } + ofAll
    }

    private var all: [WatchedFile] { files.values.flatMap { $0 } }
  }

  /// Somebody who hears of a file.
  private final class WatchedFile: Sendable {
    let folder: [UInt8]
    let name: [UInt8]
    let onChange: @Sendable () -> Void

    init(_ path: [UInt8], _ onChange: @escaping @Sendable () -> Void) {
      let end = path.lastIndex(of: UInt8(ascii: "/"))
      folder = end.map { $0 == 0 ? [path[0]] : Array(path[..<$0]) } ?? [UInt8(ascii: ".")]
      name = Array(path[(end.map { $0 + 1 } ?? 0)...])
      self.onChange = onChange
    }
  }
#endif
