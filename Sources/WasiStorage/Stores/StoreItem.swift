import SharingCore

/// An item of a ``KeyValueStore``, and a stamp by which to know whether it is what it was.
///
/// ```swift
/// let stamp = try item.replace(by: Array("3".utf8))
/// let isWhatItWas = item.stamp() == stamp && stamp != 0
/// ```
public protocol StoreItem: AnyObject, Sendable {
  /// A number for what the item holds, or for there being none: for as long as it stays the same, so
  /// do the bytes, and they need not be read to know that. 0 where only reading tells.
  func stamp() -> Int32

  /// The item's bytes, nil when there are none, and the stamp that it had no later than they were
  /// read.
  /// - Throws: ``StorageError`` when the store cannot tell.
  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32)

  /// Stores bytes in place of what was there, or removes that when they are nil.
  /// - Returns: The stamp of what was stored, whatever others have stored since; 0 without one.
  /// - Throws: ``StorageError`` when that could not be done; the old bytes are whole.
  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32

  /// Calls `onChange` when the bytes may have changed, until the subscription ends. It may be called
  /// when nothing has, and of what was stored through this very item it need not be.
  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

/// An item of a store that has no stamps.
final class PlainItem: StoreItem {
  private let key: KeyName
  private let store: any KeyValueStore

  init(_ key: KeyName, in store: any KeyValueStore) {
    self.key = key
    self.store = store
  }

  func stamp() -> Int32 { 0 }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) {
    (try store.bytes(for: key), 0)
  }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    if let bytes { try store.set(bytes, for: key) } else { try store.remove(key) }
    return 0
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    store.subscribe(to: key, onChange)
  }
}
