// The system's events of folders: on Linux by inotify; elsewhere there are none.
#if !hasFeature(Embedded) && !os(WASI)
  import Foundation
  import SharingCore

  extension FolderEvents {
    /// An event.
    struct Change {
      /// The folder or link in which it happened; nil if it may be any.
      var watch: Watch?
      /// The name of the entry that changed; nil if the folder or link itself was moved, removed or
      /// unmounted, or if it may be any entry.
      var name: [UInt8]?
      /// Whether the entry was made just now: a file is still written then, a link is whole.
      var isCreation = false
    }

    /// The events that are wanted.
    enum Interest {
      /// That files in a folder are written, made, moved or removed, and that the folder is.
      case files
      /// That entries of a folder are removed, and that the folder is moved or removed.
      case removals
      /// That a folder or a symbolic link is moved or removed. A link is not followed.
      case itself
    }

    /// The result of a request to watch.
    enum Answer {
      case watched(Watch)
      /// There is no such folder.
      case missing
      /// The system does not tell of the folder; its files have to be read to see a change.
      case refused
    }

    /// The time between two looks at files and folders that are not watched, in milliseconds.
    static let patience: Int32 = 500
  }

  #if os(Linux)
    /// Changes in folders, by inotify(7).
    final class FolderEvents: @unchecked Sendable {
      typealias Watch = Int32

      private struct Descriptors {
        let queue: Int32
        /// A pipe: a byte in it ends the waiting.
        let wakeUp: (reading: Int32, writing: Int32)
      }

      private let lock = Lock()
      /// Nil until the system has given them.
      private var descriptors: Descriptors?
      /// How often each watch is in use.
      private var uses: [Watch: Int] = [:]
      /// The error number of a refusal that was not reported yet.
      private var refusal: Int32?
      private var hasReported = false

      /// Begins to watch a folder or a link. Each watch needs an ``unwatch(_:)``.
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
            refuse(errno)
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

      /// Ends the waiting of ``next(mayWait:)``.
      func wake() {
        guard let writing = lock.withLock({ descriptors?.wakeUp.writing }) else { return }
        var byte: UInt8 = 0
        write(writing, &byte, 1)
      }

      /// Waits for changes.
      /// - Parameter mayWait: Whether everything is watched, so that no look is due.
      func next(mayWait: Bool) -> [Change] {
        guard let descriptors = lock.withLock({ descriptors }) else {
          usleep(UInt32(Self.patience) * 1000)
          return []
        }
        var sources = [
          pollfd(fd: descriptors.queue, events: Int16(POLLIN), revents: 0),
          pollfd(fd: descriptors.wakeUp.reading, events: Int16(POLLIN), revents: 0),
        ]
        poll(&sources, 2, mayWait ? -1 : Self.patience)
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
          while Glibc.read(descriptors.wakeUp.reading, buffer.baseAddress, buffer.count) > 0 {}
        }
        return read(descriptors.queue)
      }

      /// Why files are looked at twice a second instead of watched; once for each program.
      func takeRefusal() -> UTF8Text? {
        let error: Int32? = lock.withLock {
          defer { refusal = nil }
          return refusal
        }
        guard let error else { return nil }
        return """
          The system does not tell of changes to files (inotify: \
          \(UTF8Text(String(cString: strerror(error))))), so they are looked at twice a second \
          until it does. Close files, or raise fs.inotify.max_user_instances and \
          fs.inotify.max_user_watches.
          """
      }

      /// Makes the descriptors, unless they are there. The lock is held.
      private func open() -> Descriptors? {
        if let descriptors { return descriptors }
        // First the pipe: two descriptors that a program without any would miss.
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
        refuse(errno)
        for descriptor in opened { close(descriptor) }
        return nil
      }

      private func refuse(_ error: Int32) {
        if !hasReported { refusal = error }
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
                watch: event.wd < 0 ? nil : event.wd,  // so many that some were dropped
                name: event.len == 0 ? nil : Array(name),
                isCreation: event.mask & UInt32(IN_CREATE) != 0))
          }
        }
        return changes
      }
    }

    extension FolderEvents.Interest {
      /// Without IN_MODIFY: a file that is written in place is whole when it is closed. With
      /// IN_MASK_ADD: one folder may be watched for several interests.
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
    /// No folder is watched: every file may have changed whenever some time has passed.
    final class FolderEvents: @unchecked Sendable {
      typealias Watch = Int32

      func watch(_ path: [UInt8], for interest: Interest) -> Answer { .refused }
      func unwatch(_ watch: Watch) {}
      func wake() {}
      func takeRefusal() -> UTF8Text? { nil }

      func next(mayWait: Bool) -> [Change] {
        usleep(UInt32(Self.patience) * 1000)
        return []
      }
    }
  #endif
#endif
