import SharingCore

/// Where keyed bytes are kept: the one seam between keys and hosts.
///
/// There are four: ``HostStore`` (a browser tab's storage), ``FileStore`` (a folder),
/// ``DocumentStore`` (files by path) and ``MemoryStore``. A test, or a program with a store of its
/// own, puts one in the environment:
///
/// ```swift
/// SharingEnvironment.current.stores.local = MemoryStore()
/// ```
/// A failed ``set(_:for:)`` or ``remove(_:)`` leaves the old bytes whole. Methods may be called on
/// any thread.
public protocol KeyValueStore: AnyObject, Sendable {
  /// The bytes that are stored under a key; nil when there are none.
  /// - Throws: ``StorageError`` when the store cannot tell.
  func bytes(for key: KeyName) throws(StorageError) -> [UInt8]?

  /// Stores bytes under a key, in place of what was there.
  /// - Throws: ``StorageError`` when they could not be stored; the old bytes are whole.
  func set(_ bytes: [UInt8], for key: KeyName) throws(StorageError)

  /// Removes what is stored under a key, if there is something.
  /// - Throws: ``StorageError`` when it could not be removed.
  func remove(_ key: KeyName) throws(StorageError)

  /// Calls `onChange` when the key's bytes may have changed from outside, until the subscription
  /// ends. It may be called when nothing has changed.
  func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription

  /// The item of a key, whether it is there or not: what keys use again and again.
  ///
  /// ```swift
  /// let item = store.item(for: KeyName("count"))
  /// let stamp = try item.replace(by: Array("3".utf8))
  /// ```
  /// A store has this for itself if it can tell faster than by reading that an item is what it was.
  func item(for key: KeyName) -> any StoreItem
}

extension KeyValueStore {
  /// An item that is read to know what it is.
  public func item(for key: KeyName) -> any StoreItem { PlainItem(key, in: self) }
}
