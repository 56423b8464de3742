// The system's events of folders: inotify on Linux, none elsewhere.
#if !hasFeature(Embedded) && !os(WASI)
  import Foundation
  import SharingCore

  extension FolderEvents {
    /// An event.
    struct Change {
      /// The watch of the folder or link; nil if it may be any.
      var watch: Watch?
      /// The name of the changed entry; nil if the folder or link itself was moved, removed or
      /// unmounted, or if it may be any entry.
      var name: [UInt8]?
      /// Whether the entry was just made: a file is still being written then, a link is complete.
      var isCreation = false
    }

    /// The kinds of events to watch for.
    enum Interest {
      /// Files in a folder are written, made, moved or removed, or the folder itself is moved or
      /// removed.
      case files
      /// Entries of a folder are removed, or the folder itself is moved or removed.
      case removals
      /// A folder or a symbolic link is moved or removed. A link is not followed.
      case itself
    }

    /// The result of a request to watch.
    enum Answer {
      case watched(Watch)
      /// There is no such folder.
      case missing
      /// The system sends no events for the folder; its files have to be read to find a change.
      case refused
    }

    /// The time between two checks of files and folders that are not watched, in milliseconds.
    static let pollInterval: Int32 = 500
  }

  #if os(Linux)
    /// Changes in folders, by inotify(7).
    final class FolderEvents: @unchecked Sendable {
      typealias Watch = Int32

      private struct Descriptors {
        let queue: Int32
        /// A pipe: a byte in it ends the wait.
        let wakeUp: (reading: Int32, writing: Int32)
      }

      private let lock = Lock()
      /// Nil until the system provides them.
      private var descriptors: Descriptors?
      /// The number of uses of each watch.
      private var uses: [Watch: Int] = [:]
      /// The error number of a failed watch that is not reported yet.
      private var watchError: Int32?
      private var hasReported = false

      /// Starts to watch a folder or a link. Each watch needs an ``unwatch(_:)``.
      func watch(_ path: [UInt8], for interest: Interest) -> Answer {
        lock.withLock {
          guard let queue = open()?.queue else { return .refused }
          let watch = path.withCString { inotify_add_watch(queue, $0, interest.mask) }
          if watch >= 0 {
            uses[watch, default: 0] += 1
            return .watched(watch)
          }
          switch errno {
          case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: return .missing
          case EACCES, EPERM: return .refused
          default:
            record(errno)
            return .refused
          }
        }
      }

      /// Ends one use of a watch.
      func unwatch(_ watch: Watch) {
        lock.withLock {
          let count = uses[watch, default: 1] - 1
          uses[watch] = count == 0 ? nil : count
          if count == 0, let descriptors { inotify_rm_watch(descriptors.queue, watch) }
        }
      }

      /// Ends the wait of ``next(mayWait:)``.
      func wake() {
        guard let writing = lock.withLock({ descriptors?.wakeUp.writing }) else { return }
        var byte: UInt8 = 0
        write(writing, &byte, 1)
      }

      /// Waits for changes.
      /// - Parameter mayWait: Whether everything is watched, so that no check is due.
      func next(mayWait: Bool) -> [Change] {
        guard let descriptors = lock.withLock({ descriptors }) else {
          usleep(UInt32(Self.pollInterval) * 1000)
          return []
        }
        var sources = [
          pollfd(fd: descriptors.queue, events: Int16(POLLIN), revents: 0),
          pollfd(fd: descriptors.wakeUp.reading, events: Int16(POLLIN), revents: 0),
        ]
        poll(&sources, 2, mayWait ? -1 : Self.pollInterval)
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
          while Glibc.read(descriptors.wakeUp.reading, buffer.baseAddress, buffer.count) > 0 {}
        }
        return read(descriptors.queue)
      }

      /// The reason for checking files twice a second instead of watching them; returned once.
      func takeWatchError() -> UTF8Text? {
        let error: Int32? = lock.withLock {
          defer { watchError = nil }
          return watchError
        }
        guard let error else { return nil }
        return """
          The system does not report changes to files (inotify: \
          \(UTF8Text(String(cString: strerror(error))))), so files are checked twice a second \
          until it does. Close files, or raise fs.inotify.max_user_instances and \
          fs.inotify.max_user_watches.
          """
      }

      /// Opens the descriptors unless they are open. The lock is held.
      private func open() -> Descriptors? {
        if let descriptors { return descriptors }
        // The pipe first: if too few descriptors are left, it takes none.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return fail([]) }
        for end in ends {
          _ = fcntl(end, F_SETFL, O_NONBLOCK)
          _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        let queue = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard queue >= 0 else { return fail(ends) }
        descriptors = Descriptors(queue: queue, wakeUp: (ends[0], ends[1]))
        return descriptors
      }

      private func fail(_ opened: [Int32]) -> Descriptors? {
        record(errno)
        for descriptor in opened { close(descriptor) }
        return nil
      }

      private func record(_ error: Int32) {
        if !hasReported { watchError = error }
        hasReported = true
      }

      private func read(_ queue: Int32) -> [Change] {
        var changes: [Change] = []
        withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
          let count = Glibc.read(queue, buffer.baseAddress, buffer.count)
          var at = 0
          while at < count {
            let event = buffer.load(fromByteOffset: at, as: inotify_event.self)
            at += MemoryLayout<inotify_event>.size
            let name = buffer[at..<at + Int(event.len)].prefix { $0 != 0 }
            at += Int(event.len)
            changes.append(
              Change(
                watch: event.wd < 0 ? nil : event.wd,  // an overflow: some were dropped
                name: event.len == 0 ? nil : Array(name),
                isCreation: event.mask & UInt32(IN_CREATE) != 0))
          }
        }
        return changes
      }
    }

    extension FolderEvents.Interest {
      /// Without IN_MODIFY, since a file that is written in place is complete when it is closed.
      /// With IN_MASK_ADD, since one folder may be watched for several interests.
      fileprivate var mask: UInt32 {
        let ofItself = IN_DELETE_SELF | IN_MOVE_SELF | IN_MASK_ADD
        let mask =
          switch self {
          case .files:
            ofItself | IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
              | IN_ONLYDIR
          case .removals: ofItself | IN_DELETE | IN_ONLYDIR
          case .itself: ofItself | IN_DONT_FOLLOW
          }
        return UInt32(mask)
      }
    }
  #else
    /// No folder is watched: every file may have changed after each interval.
    final class FolderEvents: @unchecked Sendable {
      typealias Watch = Int32

      func watch(_ path: [UInt8], for interest: Interest) -> Answer { .refused }
      func unwatch(_ watch: Watch) {}
      func wake() {}
      func takeWatchError() -> UTF8Text? { nil }

      func next(mayWait: Bool) -> [Change] {
        usleep(UInt32(Self.pollInterval) * 1000)
        return []
      }
    }
  #endif
#endif
