import CHost
import SharingCore

/// A store of one file per key, in a folder.
///
/// ```swift
/// SharingEnvironment.current.stores.local = FileStore(folder: ".sharing")
/// ```
/// A file is replaced as a whole (temporary file, fsync, rename): a crash at any point leaves the
/// old bytes or the new ones. Its name is the key, escaped if needed, with the suffix `.json`. A
/// key whose file name would have more than 255 bytes cannot be read or stored. Only regular files
/// are read and replaced. A symbolic link stays, and the file to which it leads is read or
/// replaced. A mount point, and a file in a folder without write permission, can only be read: a
/// change sets `saveError`.
///
/// Natively, a file keeps its permissions, a copy (`.corrupt`, `.replaced`) can be read by its
/// owner only, and changes by other programs are followed as by a ``DocumentStore``. A WASI runtime
/// can do none of this: run it with `umask 077` if values are private.
///
/// Keys are not paths: ``DocumentStore`` is the store of files by path.
public final class FileStore: KeyValueStore {
  private let folder: UTF8Text
  private let following: StoreFollowing
  private let hub = ChangeHub()

  /// A store in a folder, which is created by the first write.
  /// - Parameters:
  ///   - folder: The folder's path, absolute or relative to the current folder, which an empty
  ///     path is.
  ///   - following: Whether values follow changes by other programs: natively within 0.3 s, on a
  ///     separate thread. Without, they are read when loaded and before each change: for programs
  ///     that do one task and end.
  public init(folder: UTF8Text, following: StoreFollowing = .always) {
    self.folder = folder.asFolderPath
    self.following = following
  }

  /// A store in the host's folder for state: the first preopened one under WASI, natively
  /// `$SHARING_DIR` or else `.sharing`. Nil if there is none, and in a native test without
  /// `$SHARING_DIR`.
  /// - Parameter following: Whether values follow changes by other programs.
  package convenience init?(following: StoreFollowing = .always) {
    guard let folder = Self.hostFolder else { return nil }
    self.init(folder: folder, following: following)
  }

  /// The host's folder for state; nil if there is none.
  package static var hostFolder: UTF8Text? {
    guard let folder = GrowingBuffer.read({ sharing_file_root(isTesting, $0, $1) }).bytes else {
      return nil
    }
    return UTF8Text(folder)
  }

  /// The slot of a key's file.
  public func slot(for key: KeyName) -> any StoreSlot {
    let path: UTF8Text = "\(folder)/\(FileName(key).text)"
    return FileSlot(key, path: path.bytes, hub, isFollowed: following == .always)
  }
}

extension FileStore {
  /// The keys of all files. A file whose name is not the name of a key is left out.
  /// - Throws: ``SharingCore/StorageError`` if the folder cannot be read.
  package func keys() throws(StorageError) -> [KeyName] {
    var keys: [KeyName] = []
    for name in try FileSlot.names(in: folder.bytes) ?? [] {
      if let key = FileName.key(of: UTF8Text(name)) { keys.append(key) }
    }
    return keys
  }
}

extension UTF8Text {
  /// The path of a folder as the program gives it. An empty path would be the root before a name.
  package var asFolderPath: UTF8Text { bytes.isEmpty ? "." : self }
}
