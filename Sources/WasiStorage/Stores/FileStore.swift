import CHost
import SharingCore

/// A store of one file per key, in a folder.
///
/// ```swift
/// SharingEnvironment.current.stores.local = FileStore(folder: ".sharing")
/// ```
/// A file is replaced as a whole (temporary file, fsync, rename): a crash at any point leaves the
/// old bytes or the new ones. Its name is the key, escaped if needed, with the suffix `.json`; see
/// ``keys()``. Only regular files are read and replaced. A symbolic link stays, and the file to
/// which it leads is read or replaced.
///
/// Natively, a file keeps its permissions, and changes by other programs are followed as by a
/// ``DocumentStore``. A WASI runtime can do neither: run it with `umask 077` if values are private.
///
/// Keys are not paths. Natively, the root of the file system is refused as a folder: every access
/// fails with an error that names ``DocumentStore``, the store of files by path.
public final class FileStore: KeyValueStore {
  /// When a store notices changes by other programs.
  public enum Following: Sendable {
    /// As soon as the host reports them, on a separate thread.
    case always
    /// Only when a value is loaded and before it is changed. For programs that do one task and end.
    case never
  }

  private let folder: UTF8Text
  private let following: Following
  private let hub = ChangeHub()

  /// A store in a folder, which is created by the first write.
  /// - Parameters:
  ///   - folder: The folder's path, absolute or relative to the current folder, which an empty
  ///     path is.
  ///   - following: When changes by other programs are noticed.
  public init(folder: UTF8Text, following: Following = .always) {
    self.folder = folder.asFolderPath
    self.following = following
  }

  /// A store in the host's folder for state: the first preopened one under WASI, natively
  /// `$SHARING_DIR` or else `.sharing`. Nil if there is none, and in a native test without
  /// `$SHARING_DIR`.
  /// - Parameter following: When changes by other programs are noticed.
  public convenience init?(following: Following = .always) {
    guard let folder = Self.hostFolder else { return nil }
    self.init(folder: folder, following: following)
  }

  /// The host's folder for state; nil if there is none.
  package static var hostFolder: UTF8Text? {
    guard let folder = try? GrowingBuffer.read({ sharing_file_root(isTesting, $0, $1) }) else {
      return nil
    }
    return UTF8Text(folder)
  }

  /// The slot of a key's file.
  public func slot(for key: KeyName) -> any StoreSlot { slot(for: key, modelPath: []) }

  /// The slot of a key's file. A new file gets the permissions of another key's file.
  public func slot(for key: KeyName, withPermissionsOf original: KeyName) -> any StoreSlot {
    slot(for: key, modelPath: path(FileName(original).stem, Self.valueSuffix))
  }

  private func slot(for key: KeyName, modelPath: [UInt8]) -> any StoreSlot {
    if Self.refusesFolder(folder) { return RefusedSlot(rootError(for: key)) }
    let name = FileName(key)
    return FileSlot(
      key, path: path(name.stem, Self.valueSuffix),
      namePath: name.isShortened ? path(name.stem, Self.nameSuffix) : nil, modelPath: modelPath,
      hub,
      isWatched: following == .always)
  }

  /// The suffixes of a value's file, and of the file that contains its key.
  private static let valueSuffix: StaticString = ".json"
  private static let nameSuffix: StaticString = ".key"

  private func path(_ stem: UTF8Text, _ suffix: StaticString) -> [UInt8] {
    let path: UTF8Text = "\(folder)/\(stem)\(suffix)"
    return path.bytes
  }

  private func rootError(for key: KeyName?) -> StorageError {
    StorageError(
      .denied, key: key,
      """
      A FileStore keeps one file for each key, but not in the root of the file system, \
      "\(folder)". Give it a folder of its own; or use DocumentStore(folder: "/"), whose keys are \
      the paths of files.
      """)
  }
}

extension FileStore {
  /// The keys of all files. A file whose name is not the name of a key is left out.
  /// - Throws: ``SharingCore/StorageError`` if the folder cannot be read, or is the root.
  public func keys() throws(StorageError) -> [KeyName] {
    if Self.refusesFolder(folder) { throw rootError(for: nil) }
    var keys: [KeyName] = []
    for name in try FileSlot.names(in: folder.bytes) ?? [] {
      if let key = try key(ofFile: name) { keys.append(key) }
    }
    return keys
  }

  private func key(ofFile name: [UInt8]) throws(StorageError) -> KeyName? {
    let suffix = UTF8Text(stringLiteral: Self.valueSuffix).bytes
    let length = name.count - suffix.count
    guard length >= 0, Array(name[length...]) == suffix else { return nil }
    let stem = UTF8Text(Array(name[..<length]))
    let key = KeyName(bytes: HexDigit.percentDecoded(stem.bytes))
    if FileName(key).stem == stem { return key }
    // A shortened name: the key is in a file of its own.
    guard let bytes = try FileSlot.bytes(at: path(stem, Self.nameSuffix), for: nil) else {
      return nil
    }
    let noted = KeyName(bytes: bytes)
    return FileName(noted).stem == stem ? noted : nil
  }
}

/// The slot of a store whose folder is refused.
private final class RefusedSlot: StoreSlot {
  private let error: StorageError

  init(_ error: StorageError) {
    self.error = error
  }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) { throw error }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 { throw error }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    SharedSubscription {}
  }
}

extension UTF8Text {
  /// The path of a folder as the program gives it. An empty path would be the root before a name.
  package var asFolderPath: UTF8Text { bytes.isEmpty ? "." : self }
}
