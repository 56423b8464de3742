// What the system tells of a folder: Linux by inotify; elsewhere files are looked at twice a
// second.
#if !hasFeature(Embedded)
  import Foundation

  extension FolderEvents {
    /// Something that has happened in a folder.
    struct Change {
      /// In which one; nil where it may be any.
      var watch: Watch?
      /// To which file; nil where it may be any.
      var name: [UInt8]?
      /// Whether the folder is gone: nothing more will be told of it.
      var isEnd = false
    }

    /// How long to wait before what cannot be told is looked for, in milliseconds.
    static let patience: Int32 = 500
  }

  #if os(Linux)
    /// Changes in folders, by inotify(7).
    final class FolderEvents: @unchecked Sendable {
      typealias Watch = Int32

      private let queue = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      /// A pipe: a byte in it ends the waiting.
      private let wakeUp: (reading: Int32, writing: Int32)

      // Neither IN_CREATE nor IN_MODIFY: who writes in place is not done before the file is closed.
      private static let interest = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
          | IN_ONLYDIR)
      private static let end = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)

      init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        wakeUp = (ends[0], ends[1])
      }

      /// Begins to watch a folder; nil when there is none.
      func watch(_ folder: String) -> Watch? {
        let watch = inotify_add_watch(queue, folder, Self.interest)
        return watch < 0 ? nil : watch
      }

      /// Ends watching a folder.
      func unwatch(_ watch: Watch) {
        inotify_rm_watch(queue, watch)
      }

      /// Ends the waiting of ``next(mayWait:)``.
      func wake() {
        var byte: UInt8 = 0
        write(wakeUp.writing, &byte, 1)
      }

      /// Waits for changes.
      /// - Parameter mayWait: Whether there is nothing to look for meanwhile.
      func next(mayWait: Bool) -> [Change] {
        var sources = [
          pollfd(fd: queue, events: Int16(POLLIN), revents: 0),
          pollfd(fd: wakeUp.reading, events: Int16(POLLIN), revents: 0),
        ]
        poll(&sources, 2, mayWait ? -1 : Self.patience)
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
          while Glibc.read(wakeUp.reading, buffer.baseAddress, buffer.count) > 0 {}
        }
        return read()
      }

      private func read() -> [Change] {
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
                isEnd: event.mask & Self.end != 0))
          }
        }
        return changes
      }
    }
  #else
    /// Nothing is told of folders: every file may have changed whenever some time has passed.
    final class FolderEvents: @unchecked Sendable {
      typealias Watch = Int

      func watch(_ folder: String) -> Watch? { 0 }
      func unwatch(_ watch: Watch) {}
      func wake() {}

      func next(mayWait: Bool) -> [Change] {
        Thread.sleep(forTimeInterval: Double(Self.patience) / 1000)
        return [Change()]
      }
    }
  #endif
#endif
