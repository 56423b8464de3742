import CHost
import SharingCore

/// A store of one file per key, in a folder.
///
/// ```swift
/// SharingEnvironment.current.stores.local = FileStore(folder: ".sharing")
/// ```
/// A file is replaced as a whole (temporary file, fsync, rename): a crash at any point leaves the
/// old bytes or the new ones. The name is the key's as
/// far as a file name can be, with `.json` behind it; see ``keys()``. What is no file is not read and
/// not replaced; of a symbolic link it is what the link leads to that is.
///
/// Natively a file keeps its permissions, and what other programs do to it is followed as by a
/// ``DocumentStore``. A WASI runtime can do neither: run it with `umask 077` where values are private.
public final class FileStore: KeyValueStore {
  /// Whether a store tells of what other programs do to its files.
  public enum Following: Sendable {
    /// As soon as the host tells, on a thread of its own.
    case always
    /// Never: it is seen when a value is loaded and before it is changed. For a program that does
    /// something and ends.
    case never
  }

  private let folder: UTF8Text
  private let following: Following
  private let hub = ChangeHub()

  /// A store in a folder, which is made when something is first written.
  /// - Parameters:
  ///   - folder: The folder's path, absolute or relative to the current folder.
  ///   - following: Whether it tells of what other programs do there.
  public init(folder: UTF8Text, following: Following = .always) {
    self.folder = folder
    self.following = following
  }

  /// A store in the folder that the host gives to the program: under WASI the first preopened one,
  /// natively `$SHARING_DIR` or else `.sharing`, which a test does not get. Nil when there is none.
  /// - Parameter following: Whether it tells of what other programs do there.
  public convenience init?(following: Following = .always) {
    guard let folder = Self.hostFolder else { return nil }
    self.init(folder: folder, following: following)
  }

  /// The folder that the host gives to the program, if it does.
  package static var hostFolder: UTF8Text? {
    guard let folder = try? HostBuffer.read({ sharing_file_root(isTesting, $0, $1) }) else {
      return nil
    }
    return UTF8Text(folder)
  }

  /// The bytes of the key's file.
  public func bytes(for key: KeyName) throws(StorageError) -> [UInt8]? {
    try HostFile.bytes(at: path(of: key), for: key)
  }

  /// Replaces the key's file as a whole.
  public func set(_ bytes: [UInt8], for key: KeyName) throws(StorageError) {
    try write(key) { (path) throws(StorageError) in try HostFile.set(bytes, at: path, for: key) }
  }

  /// Has a key's file written, and the key noted where the file's name does not tell it.
  @inline(__always)
  func write(
    _ key: KeyName, _ body: (_ path: [UInt8]) throws(StorageError) -> Void
  ) throws(StorageError) {
    let name = FileName(key)
    if name.isShortened { try HostFile.set(key.bytes, at: path(name, Self.note), for: key) }
    try body(path(name, Self.value))
    hub.notify(key)
  }

  /// Removes the key's file.
  public func remove(_ key: KeyName) throws(StorageError) {
    let name = FileName(key)
    try HostFile.remove(at: path(name, Self.value), for: key)
    if name.isShortened { try HostFile.remove(at: path(name, Self.note), for: key) }
    hub.notify(key)
  }

  /// Follows changes of the key's file, through this store and natively by other programs; of the
  /// latter it is told on a thread of its own.
  public func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    let subscription = hub.subscribe(to: key, onChange)
    if following == .never { return subscription }
    return subscription.and(FileWatcher.watch(path(of: key), onChange))
  }

  /// What comes last in the name of a value's file, and of the note of its key.
  private static let value: StaticString = ".json"
  private static let note: StaticString = ".key"

  func path(of key: KeyName) -> [UInt8] { path(FileName(key), Self.value) }

  private func path(_ name: FileName, _ suffix: StaticString) -> [UInt8] {
    let path: UTF8Text = "\(folder)/\(name.stem)\(suffix)"
    return path.bytes
  }
}

extension FileStore: ListableStore {
  /// The keys of all files, in the order of their bytes. A file whose name no key makes is somebody
  /// else's, and is left out.
  public func keys() throws(StorageError) -> [KeyName] {
    var keys: [KeyName] = []
    for name in try fileNames() {
      if let key = try key(ofFile: name) { keys.append(key) }
    }
    return keys.sorted()
  }

  private func fileNames() throws(StorageError) -> [ArraySlice<UInt8>] {
    let path = folder.bytes
    let names = try HostCall("listing the folder ", path, for: nil).bytes {
      sharing_folder_list(path, path.hostCount, $0, $1)
    }
    return names?.split(separator: 0) ?? []
  }

  private func key(ofFile name: ArraySlice<UInt8>) throws(StorageError) -> KeyName? {
    let stem = Array(name.dropLast(Self.value.utf8CodeUnitCount))
    let value: UTF8Text = "\(UTF8Text(stem))\(Self.value)"
    guard name.elementsEqual(value.bytes) else { return nil }
    if let key = FileName.key(ofStem: stem) { return key }
    let note: UTF8Text = "\(folder)/\(UTF8Text(stem))\(Self.note)"
    guard let bytes = try HostFile.bytes(at: note.bytes, for: nil) else { return nil }
    let key = KeyName(bytes: bytes)
    return FileName(key).stem.bytes == stem ? key : nil
  }
}
