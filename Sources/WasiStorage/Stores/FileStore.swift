import CHost
import SharingCore

/// A store of one file per key, in a folder.
///
/// ```swift
/// SharingEnvironment.current.stores.local = FileStore(folder: ".sharing")
/// ```
/// A file is replaced as a whole (temporary file, fsync, rename): a crash at any point leaves the
/// old bytes or the new ones. See ``FileName`` for how a key becomes a file name.
public final class FileStore: KeyValueStore {
  private let folder: UTF8Text
  private let hub = ChangeHub()

  /// A store in a folder, which is made when something is first written.
  /// - Parameter folder: The folder's path, absolute or relative to the current folder.
  public init(folder: UTF8Text) {
    self.folder = folder
  }

  /// A store in the folder that the host gives to the program: under WASI the first preopened one,
  /// natively `$SHARING_DIR` or else `.sharing`, which a test does not get. Nil when there is none.
  public convenience init?() {
    guard let folder = Self.hostFolder else { return nil }
    self.init(folder: folder)
  }

  /// The folder that the host gives to the program, if it does.
  package static var hostFolder: UTF8Text? {
    guard let folder = try? HostBuffer.read(sharing_file_root) else { return nil }
    return UTF8Text(folder)
  }

  /// The bytes of the key's file.
  public func bytes(for key: KeyName) throws(StorageError) -> [UInt8]? {
    let path = path(of: key)
    do throws(HostCode) {
      return try HostBuffer.read { sharing_file_get(path, path.hostCount, $0, $1) }
    } catch {
      if error == .missing { return nil }
      throw StorageError(error, key: key, "reading the file", path)
    }
  }

  /// Replaces the key's file as a whole.
  public func set(_ bytes: [UInt8], for key: KeyName) throws(StorageError) {
    let path = path(of: key)
    let code = sharing_file_set(path, path.hostCount, bytes, bytes.hostCount)
    if let error = HostCode(code) { throw StorageError(error, key: key, "writing the file", path) }
    hub.notify(key)
  }

  /// Removes the key's file.
  public func remove(_ key: KeyName) throws(StorageError) {
    let path = path(of: key)
    let code = sharing_file_remove(path, path.hostCount)
    if let error = HostCode(code) { throw StorageError(error, key: key, "removing the file", path) }
    hub.notify(key)
  }

  /// Follows changes that this program makes through the store.
  public func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    hub.subscribe(to: key, onChange)
  }

  private func path(of key: KeyName) -> [UInt8] {
    let path: UTF8Text = "\(folder)/\(FileName.text(for: key))"
    return path.bytes
  }
}
