import CHost
import SharingCore

/// The slot of a key that is stored in a file.
package final class FileSlot: StoreSlot {
  private let key: KeyName
  private let path: [UInt8]
  private let hub: ChangeHub
  private let isFollowed: Bool

  init(_ key: KeyName, path: [UInt8], _ hub: ChangeHub, isFollowed: Bool = true) {
    self.key = key
    self.path = path
    self.hub = hub
    self.isFollowed = isFollowed
  }

  package func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) {
    (try Self.bytes(at: path, for: key), 0)
  }

  package func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    if let bytes { try write(bytes) } else { try remove() }
    hub.notify(key, from: self)
    return 0
  }

  /// Follows changes through other slots, and natively by other programs. The latter are reported
  /// on a separate thread.
  package func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    let subscription = hub.subscribe(to: key, as: self, onChange)
    return isFollowed ? FilePoll.follow(path, beside: subscription, onChange) : subscription
  }

  private func write(_ bytes: [UInt8]) throws(StorageError) {
    try FileCall("Writing the file ", path, for: key).check(
      sharing_file_set(path, path.byteCount32, bytes, bytes.byteCount32, key.isCopy))
  }

  private func remove() throws(StorageError) {
    try FileCall("Removing the file ", path, for: key).check(
      sharing_file_remove(path, path.byteCount32))
  }

  /// The file's bytes; nil if there is no file.
  package static func bytes(at path: [UInt8], for key: KeyName?) throws(StorageError) -> [UInt8]? {
    try FileCall("Reading the file ", path, for: key).bytes {
      sharing_file_get(path, path.byteCount32, $0, $1)
    }
  }

  /// Returns the names of a folder's files; nil if there is no folder.
  package static func names(in folder: [UInt8]) throws(StorageError) -> [[UInt8]]? {
    let list = try FileCall("Listing the folder ", folder, for: nil).bytes {
      sharing_folder_list(folder, folder.byteCount32, $0, $1)
    }
    guard let list else { return nil }
    var names: [[UInt8]] = []
    var name: [UInt8] = []
    for byte in list {
      if byte != 0 {
        name.put(byte)
      } else {
        names.append(name)
        name = []
      }
    }
    return names
  }
}

extension KeyName {
  /// Whether the key is that of a copy: `<key>.corrupt` or `<key>.replaced`.
  fileprivate var isCopy: Bool { ends(with: ".corrupt") || ends(with: ".replaced") }

  private func ends(with suffix: UTF8Text) -> Bool {
    bytes.has(suffix.bytes, at: bytes.count - suffix.bytes.count)
  }
}
