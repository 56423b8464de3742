import CHost
import SharingCore

/// A store of files by path: each key is the path of its file, as it is.
///
/// ```swift
/// SharingEnvironment.current.stores.files = DocumentStore(folder: "/srv/app")
/// ```
/// A file is replaced as a whole (temporary file, fsync, rename): a crash at any point leaves the
/// old bytes or the new ones; for links and permissions see ``FileStore``. Natively, what other
/// programs do to a file is followed: on Linux as soon as it is closed, replaced, removed or moved,
/// elsewhere twice a second. A WASI runtime tells of no changes: there a file is looked at when a value
/// is loaded and before it is changed.
public final class DocumentStore: KeyValueStore {
  private let folder: UTF8Text
  let hub = ChangeHub()

  /// A store of the files that are seen from a folder.
  /// - Parameter folder: Where relative paths begin.
  public init(folder: UTF8Text) {
    self.folder = folder
  }

  /// A store of the files that the program can reach: under WASI relative paths begin at the first
  /// preopened folder, natively at the current one. Nil when there is none, and in a native test,
  /// which has to name a folder.
  public convenience init?() {
    guard !isTesting, let folder = try? HostBuffer.read(sharing_document_root) else { return nil }
    self.init(folder: UTF8Text(folder))
  }

  /// The bytes of the file.
  public func bytes(for key: KeyName) throws(StorageError) -> [UInt8]? {
    try HostFile.bytes(at: path(of: key), for: key)
  }

  /// Replaces the file as a whole, and makes its folder where it is missing.
  public func set(_ bytes: [UInt8], for key: KeyName) throws(StorageError) {
    try HostFile.set(bytes, at: path(of: key), for: key)
    hub.notify(key)
  }

  /// Removes the file.
  public func remove(_ key: KeyName) throws(StorageError) {
    try HostFile.remove(at: path(of: key), for: key)
    hub.notify(key)
  }

  /// Follows changes of the file, through this store and natively by other programs; of the latter
  /// it is told on a thread of its own.
  public func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    hub.subscribe(to: key, onChange).and(FileWatcher.watch(path(of: key), onChange))
  }

  func path(of key: KeyName) -> [UInt8] {
    if key.bytes.first == UInt8(ascii: "/") { return key.bytes }
    let path: UTF8Text = "\(folder)/\(key)"
    return path.bytes
  }
}
