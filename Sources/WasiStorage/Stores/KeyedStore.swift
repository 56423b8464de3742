import SharingCore

/// A store whose slots call its own methods, for test doubles that count, fail, or report changes
/// on demand.
package protocol KeyedStore: KeyValueStore {
  /// See ``StoreSlot/stamp()``.
  func stamp(of key: KeyName) -> Int32

  /// See ``StoreSlot/read()``.
  func read(_ key: KeyName) throws(StorageError) -> [UInt8]?

  /// See ``StoreSlot/replace(by:)``.
  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32

  /// See ``StoreSlot/subscribe(_:)``.
  func follow(_ key: KeyName, _ onChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

extension KeyedStore {
  package func slot(for key: KeyName) -> any StoreSlot { KeyedSlot(key, in: self) }
}

private final class KeyedSlot: StoreSlot {
  private let key: KeyName
  private let store: any KeyedStore

  init(_ key: KeyName, in store: any KeyedStore) {
    self.key = key
    self.store = store
  }

  func stamp() -> Int32 { store.stamp(of: key) }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) {
    let stamp = stamp()
    return (try store.read(key), stamp)
  }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    try store.replace(key, by: bytes)
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    store.follow(key, onChange)
  }
}
