import SharingCore

/// A store that has stamps by key, and leaves its items to this file: a double of a page's storage.
package protocol StampedStore: KeyValueStore {
  /// As ``StoreItem/stamp()``.
  func stamp(of key: KeyName) -> Int32

  /// As ``StoreItem/replace(by:)``.
  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32
}

extension StampedStore {
  package func item(for key: KeyName) -> any StoreItem { StampedItem(key, in: self) }
}

/// An item of such a store.
private final class StampedItem: StoreItem {
  private let key: KeyName
  private let store: any StampedStore

  init(_ key: KeyName, in store: any StampedStore) {
    self.key = key
    self.store = store
  }

  func stamp() -> Int32 { store.stamp(of: key) }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) {
    let stamp = stamp()
    return (try store.bytes(for: key), stamp)
  }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    try store.replace(key, by: bytes)
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    store.subscribe(to: key, onChange)
  }
}
