import CHost
import SharingCore

/// The slot of a key that is stored in a file.
///
/// Other programs replace a file in steps: they empty it and write, or move it away and make a new
/// one. A file that had contents and is empty or missing counts as such only after 300 ms, and a
/// file that has changed since the last read is not overwritten.
package final class FileSlot: StoreSlot, @unchecked Sendable {
  private let key: KeyName
  private let path: [UInt8]
  private let hub: ChangeHub
  private let isFollowed: Bool
  private let lock = Lock()
  /// The contents that were read or written last; nil before that. Guarded by the lock.
  private var last: ItemContents?
  /// Whether a write in place was reported. Guarded by the lock.
  private var isReported = false

  init(_ key: KeyName, path: [UInt8], _ hub: ChangeHub, isFollowed: Bool = true) {
    self.key = key
    self.path = path
    self.hub = hub
    self.isFollowed = isFollowed
  }

  package func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) {
    let bytes = try settledBytes()
    lock.withLock { last = ItemContents(bytes) }
    return (bytes, 0)
  }

  package func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    if let last = lock.withLock({ last }), last != ItemContents(try settledBytes()) {
      throw changedMeanwhile
    }
    if let bytes { try write(bytes) } else { try remove() }
    lock.withLock { last = ItemContents(bytes) }
    hub.notify(key, from: self)
    return 0
  }

  /// Follows changes through other slots, and natively by other programs. The latter are reported
  /// on a separate thread.
  package func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    let subscription = hub.subscribe(to: key, as: self, onChange)
    return isFollowed ? FilePoll.follow(path, beside: subscription, onChange) : subscription
  }

  /// Reads the file. If it had contents and has none, reads again until two reads in a row find the
  /// same new contents, at most for 300 ms.
  private func settledBytes() throws(StorageError) -> [UInt8]? {
    var contents = ItemContents(try Self.bytes(at: path, for: key))
    guard let last = lock.withLock({ last }), last.hasBytes, !contents.hasBytes else {
      return contents.bytes
    }
    for _ in 0..<FilePoll.readsOfEmptiedFile {
      FilePoll.pauseBeforeRead()
      let former = contents
      contents = ItemContents(try Self.bytes(at: path, for: key))
      if contents.hasBytes, contents == former { break }
    }
    return contents.bytes
  }

  private var changedMeanwhile: StorageError {
    StorageError(
      .replaced, key: key,
      """
      Another program has changed the file "\(UTF8Text(path))", and it is not overwritten. Change \
      the value again: the file is read first.
      """)
  }

  private func write(_ bytes: [UInt8]) throws(StorageError) {
    let code = sharing_file_set(
      path, path.byteCount32, bytes, bytes.byteCount32, key.isCopy)
    try FileCall("writing the file ", path, for: key).check(code)
    if code == SHARING_IN_PLACE { reportOnce() }
  }

  private func reportOnce() {
    let isFirst = lock.withLock {
      defer { isReported = true }
      return !isReported
    }
    guard isFirst else { return }
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        The file "\(UTF8Text(path))" is a mount point or in a folder without write permission, so it \
        is written in place. If the machine stops meanwhile, the file may be incomplete; in a \
        writable folder, the new contents are then in the file of that name and ".sharing-copy". \
        Mount the folder, or make it writable.
        """))
  }

  private func remove() throws(StorageError) {
    let code = sharing_file_remove(path, path.byteCount32)
    try FileCall("removing the file ", path, for: key).check(code)
  }

  /// The file's bytes; nil if there is no file.
  package static func bytes(at path: [UInt8], for key: KeyName?) throws(StorageError) -> [UInt8]? {
    try FileCall("reading the file ", path, for: key).bytes {
      sharing_file_get(path, path.byteCount32, $0, $1)
    }
  }

  /// Returns the names of a folder's files; nil if there is no folder.
  package static func names(in folder: [UInt8]) throws(StorageError) -> [[UInt8]]? {
    let list = try FileCall("listing the folder ", folder, for: nil).bytes {
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

extension ItemContents {
  /// Whether there are bytes: an empty file has none.
  fileprivate var hasBytes: Bool { !(bytes ?? []).isEmpty }
}

extension KeyName {
  /// Whether the key is that of a copy: `<key>.corrupt` or `<key>.replaced`.
  fileprivate var isCopy: Bool { ends(with: ".corrupt") || ends(with: ".replaced") }

  private func ends(with suffix: UTF8Text) -> Bool {
    bytes.has(suffix.bytes, at: bytes.count - suffix.bytes.count)
  }
}
