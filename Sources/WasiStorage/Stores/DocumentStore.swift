import CHost
import SharingCore

/// A store of files by path: each key is the path of its file, as it is.
///
/// ```swift
/// SharingEnvironment.current.stores.files = DocumentStore(folder: "/srv/app")
/// ```
/// A file is replaced as a whole (temporary file, fsync, rename): a crash at any point leaves the
/// old bytes or the new ones; for links and permissions see ``FileStore``.
///
/// Natively, changes by other programs are followed: on Linux as soon as the file is closed,
/// replaced, removed or moved, elsewhere twice a second. The path is followed: if a folder or a
/// symbolic link on it is replaced, also by a link to somewhere else, the file at its new end is
/// read and followed. A missing folder or target is looked for twice a second. So are files of
/// which Linux sends no events, such as those in a folder that the program may not list; if inotify
/// has no room for the program, an issue says so once.
///
/// A WASI runtime tells of no changes: there a file is looked at when a value is loaded and before
/// it is changed.
public final class DocumentStore: KeyValueStore {
  private let folder: UTF8Text
  private let hub = ChangeHub()

  /// A store of the files that are seen from a folder.
  /// - Parameter folder: Where relative paths begin.
  public init(folder: UTF8Text) {
    self.folder = folder
  }

  /// A store of the files that the program can reach: under WASI relative paths begin at the first
  /// preopened folder, natively at the current one. Nil when there is none, and in a native test,
  /// which has to name a folder.
  public convenience init?() {
    guard !isTesting, let folder = try? GrowingBuffer.read(sharing_document_root) else {
      return nil
    }
    self.init(folder: UTF8Text(folder))
  }

  /// The slot of a path.
  public func slot(for key: KeyName) -> any StoreSlot { FileSlot(key, path: path(of: key), hub) }

  /// The slot of a path; a file that is made there has the permissions of another one.
  public func slot(for key: KeyName, withPermissionsOf original: KeyName) -> any StoreSlot {
    FileSlot(key, path: path(of: key), modelPath: path(of: original), hub)
  }

  private func path(of key: KeyName) -> [UInt8] {
    if key.bytes.first == UInt8(ascii: "/") { return key.bytes }
    let path: UTF8Text = "\(folder)/\(key)"
    return path.bytes
  }
}
