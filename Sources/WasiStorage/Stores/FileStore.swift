import CHost
import SharingCore

/// A store of one file per key, in a folder.
///
/// ```swift
/// SharingEnvironment.current.stores.local = FileStore(folder: ".sharing")
/// ```
/// A file is replaced as a whole (temporary file, fsync, rename): a crash at any point leaves the
/// old bytes or the new ones. The name is the key's as
/// far as a file name can be, with `.json` behind it; see ``keys()``. What is no file is not read
/// and not replaced; of a symbolic link it is what the link leads to that is.
///
/// Natively a file keeps its permissions, and what other programs do to it is followed as by a
/// ``DocumentStore``. A WASI runtime can do neither: run it with `umask 077` where values are
/// private.
///
/// Keys are no paths. So natively the root of the file system is refused as a folder: every access
/// fails with an error that names ``DocumentStore``, the store of files by path.
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
    guard let folder = try? GrowingBuffer.read({ sharing_file_root(isTesting, $0, $1) }) else {
      return nil
    }
    return UTF8Text(folder)
  }

  /// The slot of a key's file.
  public func slot(for key: KeyName) -> any StoreSlot { slot(for: key, modelPath: []) }

  /// The slot of a key's file; one that is made has the permissions of another key's.
  public func slot(for key: KeyName, withPermissionsOf original: KeyName) -> any StoreSlot {
    slot(for: key, modelPath: path(FileName(original).stem, Self.value))
  }

  private func slot(for key: KeyName, modelPath: [UInt8]) -> any StoreSlot {
    if Self.refusesFolder(folder) { return RefusedSlot(rootError(for: key)) }
    let name = FileName(key)
    return FileSlot(
      key, path: path(name.stem, Self.value),
      namePath: name.isShortened ? path(name.stem, Self.nameSuffix) : nil, modelPath: modelPath,
      hub,
      isWatched: following == .always)
  }

  /// What comes last in the name of a value's file, and of the note of its key.
  private static let value: StaticString = ".json"
  private static let nameSuffix: StaticString = ".key"

  private func path(_ stem: UTF8Text, _ suffix: StaticString) -> [UInt8] {
    let path: UTF8Text = "\(folder)/\(stem)\(suffix)"
    return path.bytes
  }

  private func rootError(for key: KeyName?) -> StorageError {
    StorageError(
      .denied, key: key,
      """
      A FileStore keeps one file for each key, and does not do so in the root of the file system, \
      "\(folder)". Give it a folder of its own; or use DocumentStore(folder: "/"), whose keys are \
      the paths of files.
      """)
  }
}

extension FileStore {
  /// The keys of all files. A file whose name no key makes is somebody else's, and is left out.
  /// - Throws: ``SharingCore/StorageError`` when the folder cannot be read, or is the root.
  public func keys() throws(StorageError) -> [KeyName] {
    if Self.refusesFolder(folder) { throw rootError(for: nil) }
    let path = folder.bytes
    let names = try BoundaryCall("listing the folder ", path, for: nil).bytes {
      sharing_folder_list(path, path.byteCount32, $0, $1)
    }
    var keys: [KeyName] = []
    var name: [UInt8] = []
    for byte in names ?? [] {
      if byte != 0 {
        name.put(byte)
      } else {
        if let key = try key(ofFile: name) { keys.append(key) }
        name = []
      }
    }
    return keys
  }

  private func key(ofFile name: [UInt8]) throws(StorageError) -> KeyName? {
    let suffix = UTF8Text(stringLiteral: Self.value).bytes
    let length = name.count - suffix.count
    guard length >= 0, Array(name[length...]) == suffix else { return nil }
    let stem = UTF8Text(Array(name[..<length]))
    let key = KeyName(bytes: HexDigit.percentDecoded(stem.bytes))
    if FileName(key).stem == stem { return key }
    // A name that does not have all of the key: the key is in a file of its own.
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
