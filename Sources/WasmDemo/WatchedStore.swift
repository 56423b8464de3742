import SharingCore
import WasiStorage

/// A store that knows whether what is told of it is this program's doing, or another one's.
final class WatchedStore: KeyValueStore, @unchecked Sendable {
  /// The store itself: to write there is to be another program.
  let base: any KeyValueStore
  /// The bytes that this program is storing just now.
  private(set) var written: [UInt8]?
  private(set) var isWriting = false

  init(over base: any KeyValueStore) {
    self.base = base
  }

  func bytes(for key: KeyName) throws(StorageError) -> [UInt8]? {
    try base.bytes(for: key)
  }

  func set(_ bytes: [UInt8], for key: KeyName) throws(StorageError) {
    begin(bytes)
    defer { end() }
    try base.set(bytes, for: key)
  }

  func remove(_ key: KeyName) throws(StorageError) {
    begin(nil)
    defer { end() }
    try base.remove(key)
  }

  func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    base.subscribe(to: key, onChange)
  }

  private func begin(_ bytes: [UInt8]?) {
    isWriting = true
    written = bytes
  }

  private func end() {
    isWriting = false
    written = nil
  }
}
