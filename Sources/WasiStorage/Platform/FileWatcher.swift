// Who tells of changes that other programs make to files. A WASI runtime does not.
#if hasFeature(Embedded)
  import SharingCore

  /// Tells of changes that other programs make to files.
  enum FileWatcher {
    /// Nil: nobody can tell.
    static func watch(
      _ path: [UInt8], _ onChange: @escaping @Sendable () -> Void
    ) -> SharedSubscription? { nil }
  }
#else
  import Foundation
  import SharingCore

  /// Tells of changes that other programs make to files, from one thread for all of them.
  ///
  /// It is the folder that is watched: a file that is replaced, removed or moved back is another
  /// file by the same name. While there is no such folder, it is looked for twice a second.
  final class FileWatcher: @unchecked Sendable {
    private static let shared = FileWatcher()

    private let events = FolderEvents()
    private let lock = Lock()
    private var entries: [Entry] = []
    private var isRunning = false

    private final class Entry: @unchecked Sendable {
      let folder: String
      let name: String
      let onChange: @Sendable () -> Void
      /// What the events call the folder; nil while there is none.
      var watch: FolderEvents.Watch?

      init(_ path: String, _ onChange: @escaping @Sendable () -> Void) {
        let url = URL(fileURLWithPath: path)
        folder = url.deletingLastPathComponent().path(percentEncoded: false)
        name = url.lastPathComponent
        self.onChange = onChange
      }
    }

    /// Calls `onChange`, on a thread of its own, when the file may have changed, until the
    /// subscription ends.
    static func watch(
      _ path: [UInt8], _ onChange: @escaping @Sendable () -> Void
    ) -> SharedSubscription? {
      shared.add(Entry(String(decoding: path, as: UTF8.self), onChange))
    }

    private func add(_ entry: Entry) -> SharedSubscription {
      let isFirst = lock.withLock {
        entry.watch = events.watch(entry.folder)
        entries.append(entry)
        defer { isRunning = true }
        return !isRunning
      }
      if isFirst { Thread.detachNewThread { self.run() } } else { events.wake() }
      return SharedSubscription { self.remove(entry) }
    }

    private func remove(_ entry: Entry) {
      lock.withLock {
        entries.removeAll { $0 === entry }
        guard let watch = entry.watch, !entries.contains(where: { $0.watch == watch }) else {
          return
        }
        events.unwatch(watch)
      }
    }

    private func run() {
      while true {
        let isComplete = lock.withLock { entries.allSatisfy { $0.watch != nil } }
        let changes = events.next(mayWait: isComplete)
        let concerned = lock.withLock { entries.filter { isConcerned($0, by: changes) } }
        for entry in concerned { entry.onChange() }
      }
    }

    /// The lock is held.
    private func isConcerned(_ entry: Entry, by changes: [FolderEvents.Change]) -> Bool {
      guard let watch = entry.watch else {
        entry.watch = events.watch(entry.folder)
        return entry.watch != nil
      }
      let own = changes.filter { $0.watch == nil || $0.watch == watch }
      if own.contains(where: { $0.isEnd }) {
        events.unwatch(watch)  // a folder that was moved away
        entry.watch = nil
      }
      return own.contains { $0.name == nil || $0.name == entry.name }
    }
  }
#endif
