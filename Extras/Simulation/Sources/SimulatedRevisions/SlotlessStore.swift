import SharingCore
import WasiStorage

/// A store without slots of its own: they call its methods. For test doubles that count, fail, or
/// report changes on demand.
package protocol SlotlessStore: KeyValueStore {
  /// See ``StoreSlot/stamp()``.
  func stamp(of key: KeyName) -> Int32

  /// See ``StoreSlot/read()``.
  func read(_ key: KeyName) throws(StorageError) -> [UInt8]?

  /// See ``StoreSlot/replace(by:)``.
  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32

  /// See ``StoreSlot/subscribe(_:)``.
  func follow(_ key: KeyName, _ onChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

extension SlotlessStore {
  package func slot(for key: KeyName) -> any StoreSlot { ForwardingSlot(key, in: self) }
}

private final class ForwardingSlot: StoreSlot {
  private let key: KeyName
  private let store: any SlotlessStore

  init(_ key: KeyName, in store: any SlotlessStore) {
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
