import CHost
import SharingCore

/// A store of files by path: each key is the path of its file, as it is.
///
/// ```swift
/// SharingEnvironment.current.stores.files = DocumentStore(folder: "/srv/app")
/// ```
/// A file is replaced as a whole (temporary file, fsync, rename): a crash at any point leaves the
/// old bytes or the new ones. For mount points, links and permissions see ``FileStore``.
///
/// Natively, changes by other programs are followed: the `stat` of each path is compared four times
/// a second, and 40 times in the two seconds after a change. A changed file is read as soon as two
/// of these have been equal, so within 0.3 s. Every change of what the path leads to is found, also
/// on network folders, and if a folder or a symbolic link on the path is replaced. A file that
/// another program writes in parts, with pauses, may be read before it is whole.
///
/// Under a WASI runtime nothing is followed: there, a file is read when a value is loaded and
/// before it is changed.
public final class DocumentStore: KeyValueStore {
  private let folder: UTF8Text
  private let hub = ChangeHub()

  /// A store of files whose relative paths begin at a folder.
  /// - Parameter folder: The folder's path; an empty one is the current folder.
  public init(folder: UTF8Text) {
    self.folder = folder.asFolderPath
  }

  /// A store of the files that the program can reach. Relative paths begin at the first preopened
  /// folder under WASI, and natively at the current folder. Nil if there is none, and in a native
  /// test, which has to name a folder.
  package convenience init?() {
    guard !isTesting, let folder = GrowingBuffer.read(sharing_document_root).bytes else {
      return nil
    }
    self.init(folder: UTF8Text(folder))
  }

  /// The slot of a path.
  public func slot(for key: KeyName) -> any StoreSlot { FileSlot(key, path: path(of: key), hub) }

  private func path(of key: KeyName) -> [UInt8] {
    if key.bytes.first == UInt8(ascii: "/") { return key.bytes }
    let path: UTF8Text = "\(folder)/\(key)"
    return path.bytes
  }
}
