// The stamps of files natively, and when a change of one is reported.
#if !hasFeature(Embedded) && !os(WASI)
  import Foundation

  /// The identity, size and times of the file or folder to which a path leads. Equal stamps mean
  /// equal contents, as far as the file system can tell.
  package struct FileStamp: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    /// The times of the last change of the contents and of the inode, in nanoseconds.
    private let modified: Int64
    private let changed: Int64

    /// Nil if there is no such file, or it cannot be reached.
    /// - Parameter path: The path, terminated by a NUL.
    init?(of path: [UInt8]) {
      var status = stat()
      let result = path.withUnsafeBytes {
        stat($0.baseAddress!.assumingMemoryBound(to: CChar.self), &status)
      }
      guard result == 0 else { return nil }
      #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
      #endif
      self.init(
        device: UInt64(truncatingIfNeeded: status.st_dev),
        inode: UInt64(truncatingIfNeeded: status.st_ino), size: Int64(status.st_size),
        modified: modified.nanoseconds, changed: changed.nanoseconds)
    }

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
      self.device = device
      self.inode = inode
      self.size = size
      self.modified = modified
      self.changed = changed
    }
  }

  extension timespec {
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
  }

  /// The stamps that polls have found at one path.
  ///
  /// A change is reported when two polls in a row have found the same stamp. A file that is written
  /// in place is whole by then, unless its writer pauses. And two writes of the same moment, which
  /// may leave equal stamps (the clock of Linux's file systems ticks every 4 ms), are both over. A
  /// file that changes in each poll is reported a few times a second.
  package struct StampHistory {
    package enum Outcome {
      case unchanged
      /// The stamp is new: the file may still be changing.
      case changing
      /// The file has changed and is to be read.
      case changed
    }

    /// The longest time for which a change is not reported, in seconds.
    private static let limit = 0.25

    private var last: FileStamp?
    /// The time of the first change that is not reported; nil if there is none.
    private var changeTime: TimeInterval?

    /// - Parameter stamp: The stamp when the following begins; nil without a file.
    package init(_ stamp: FileStamp?) {
      last = stamp
    }

    /// Adds the stamp of a poll; nil without a file. The time is in seconds from any start.
    package mutating func add(_ stamp: FileStamp?, at now: TimeInterval) -> Outcome {
      let isSame = stamp == last
      last = stamp
      guard let first = changeTime else {
        if !isSame { changeTime = now }
        return isSame ? .unchanged : .changing
      }
      guard isSame || now - first >= Self.limit else { return .changing }
      changeTime = isSame ? nil : now
      return .changed
    }
  }
#endif
