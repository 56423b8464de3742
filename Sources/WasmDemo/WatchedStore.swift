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
    _ = try item(for: key).replace(by: bytes)
  }

  func remove(_ key: KeyName) throws(StorageError) {
    _ = try item(for: key).replace(by: nil)
  }

  func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    base.subscribe(to: key, onChange)
  }

  func item(for key: KeyName) -> any StoreItem {
    WatchedItem(over: base.item(for: key), in: self)
  }

  fileprivate func write(_ bytes: [UInt8]?, to item: any StoreItem) throws(StorageError) -> Int32 {
    (isWriting, written) = (true, bytes)
    defer { (isWriting, written) = (false, nil) }
    return try item.replace(by: bytes)
  }
}

/// An item of such a store, as fast as that of the store itself.
private final class WatchedItem: StoreItem {
  private let base: any StoreItem
  private let store: WatchedStore

  init(over base: any StoreItem, in store: WatchedStore) {
    self.base = base
    self.store = store
  }

  func stamp() -> Int32 { base.stamp() }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) { try base.read() }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    try store.write(bytes, to: base)
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    base.subscribe(onChange)
  }
}
