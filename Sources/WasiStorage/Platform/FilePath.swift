import SharingCore

// Paths as bytes, the symbolic links among them, and the root, which is no folder for keys.
#if !hasFeature(Embedded)
  import Foundation

  /// A file's path as a folder and a name.
  struct FilePlace: Equatable {
    /// The folder's path; `.` for a relative path without a slash.
    let folder: [UInt8]
    /// The file's name; empty for a path that ends in a slash.
    let name: [UInt8]

    init(_ path: [UInt8]) {
      let end = path.lastIndex(of: FilePath.slash)
      folder = end.map { $0 == 0 ? [FilePath.slash] : Array(path[..<$0]) } ?? [UInt8(ascii: ".")]
      name = Array(path[(end.map { $0 + 1 } ?? 0)...])
    }

    /// The places of a file: the path's own, and the targets of symbolic links from there.
    static func all(of path: [UInt8]) -> [FilePlace] {
      var places = [FilePlace(path)]
      var path = path
      while places.count <= FilePath.linkLimit, let target = FilePath.target(of: path) {
        path = target
        places.append(FilePlace(path))
      }
      return places
    }
  }

  /// The watcher's queries to the file system.
  enum FilePath {
    static let slash = UInt8(ascii: "/")
    /// The number of links on a path that Linux follows.
    static let linkLimit = 40

    /// The target of a symbolic link; nil if the path is not a link.
    static func target(of path: [UInt8]) -> [UInt8]? {
      let target = withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
        let count = path.withCString {
          readlink($0, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count < 0 ? nil : Array(buffer[..<count])
      }
      guard let target, target.first != slash else { return target }
      return FilePlace(path).folder + [slash] + target
    }

    /// Whether the path is a symbolic link or one of a file's hard links: such an entry is complete
    /// as soon as it is made.
    static func isLink(_ path: [UInt8]) -> Bool {
      var status = stat()
      guard path.withCString({ lstat($0, &status) }) == 0 else { return false }
      return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
    }

    /// Whether the program may look up files in a folder.
    static func canSearch(_ folder: [UInt8]) -> Bool {
      folder.withCString { access($0, X_OK) } == 0
    }
  }

  extension [UInt8] {
    /// Calls `body` with the bytes, terminated by a NUL.
    func withCString<Output>(_ body: (UnsafePointer<CChar>) -> Output) -> Output {
      (self + [0]).withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
  }
#endif

extension FileStore {
  #if hasFeature(Embedded)
    /// Under a WASI runtime, `/` may be the program's own folder.
    static func refusesFolder(_ folder: UTF8Text) -> Bool { false }
  #else
    /// Whether the path names the root, such as `/` or `//./`.
    static func refusesFolder(_ folder: UTF8Text) -> Bool {
      folder.bytes.first == FilePath.slash
        && folder.bytes.split(separator: FilePath.slash).allSatisfy { $0 == [UInt8(ascii: ".")] }
    }
  #endif
}
