// The contents of a file that other programs change, too. A program in WebAssembly follows no
// files, and a command there has its own for moments only.
import CHost
import SharingCore

#if hasFeature(Embedded) || os(WASI)
  /// Remembers nothing.
  struct FileHistory {
    init(at path: [UInt8]) {}

    func read(_ bytes: () throws(StorageError) -> [UInt8]?) throws(StorageError) -> [UInt8]? {
      try bytes()
    }

    func didWrite(_ bytes: [UInt8]?, _ code: Int32) {}
  }
#else
  import Foundation

  /// The contents of a file as this program has last read or written them.
  ///
  /// Other programs replace a file in steps: they empty it and write, or move it away and make a
  /// new one. A file that had contents and is empty or missing counts as such only after 300 ms.
  final class FileHistory: @unchecked Sendable {
    private let path: [UInt8]
    private let lock = Lock()
    /// Nil before the first read. Guarded by the lock, as the next property.
    private var last: ItemContents?
    private var isWriteInPlaceReported = false

    init(at path: [UInt8]) {
      self.path = path
    }

    /// Returns the file's bytes. If it had contents and has none, reads it again until two reads in
    /// a row find the same new contents, at most for 300 ms.
    ///
    /// An editor that moves a file away and makes a new one takes 2 ms. A shell that redirects a
    /// command's output empties the file first, and waits for the command.
    func read(_ bytes: () throws(StorageError) -> [UInt8]?) throws(StorageError) -> [UInt8]? {
      var contents = ItemContents(try bytes())
      if let last = lock.withLock({ last }), last.hasBytes, !contents.hasBytes {
        for _ in 0..<30 {
          Thread.sleep(forTimeInterval: 0.01)
          let former = contents
          contents = ItemContents(try bytes())
          if contents.hasBytes, contents == former { break }
        }
      }
      lock.withLock { last = contents }
      return contents.bytes
    }

    /// Records that the file was written or removed. The first time that it was written in place,
    /// reports that.
    func didWrite(_ bytes: [UInt8]?, _ code: Int32) {
      let isReport = lock.withLock {
        last = ItemContents(bytes)
        guard code == SHARING_IN_PLACE, !isWriteInPlaceReported else { return false }
        isWriteInPlaceReported = true
        return true
      }
      guard isReport else { return }
      SharingEnvironment.current.onIssue(
        SharingIssue(
          """
          The file "\(UTF8Text(path))" is a mount point or in a folder without write permission, \
          so it is written in place. If the machine stops meanwhile, the file may be incomplete; \
          in a writable folder, the new contents are then in the file of that name and \
          ".sharing-copy". Mount the folder, or make it writable.
          """))
    }
  }

  extension ItemContents {
    /// Whether there are bytes: an empty file has none.
    fileprivate var hasBytes: Bool { !(bytes ?? []).isEmpty }
  }
#endif
