import SharingCore

/// A store of bytes by key: the interface between keys and hosts.
///
/// There are four: a browser tab's storage (``DefaultStores/local``), ``FileStore`` (a folder),
/// ``DocumentStore`` (files by path) and ``MemoryStore``. A test, or a program with a store of its
/// own, sets one in the environment:
///
/// ```swift
/// SharingEnvironment.current.stores.local = MemoryStore()
/// ```
/// A store returns slots, and every access goes through a slot. A store that wraps another one
/// wraps its slots. Methods may be called on any thread.
public protocol KeyValueStore: AnyObject, Sendable {
  /// The slot of a key, which reads, writes and follows its bytes.
  func slot(for key: KeyName) -> any StoreSlot
}

// MARK: Single accesses

// Transparent, since Embedded Swift cannot call these generic functions of another module through
// `any KeyValueStore`.
extension KeyValueStore {
  /// The bytes stored under a key; nil if there are none.
  /// - Throws: ``SharingCore/StorageError`` if they cannot be read.
  @_transparent
  public func bytes(for key: KeyName) throws(StorageError) -> [UInt8]? {
    try slot(for: key).read().bytes
  }

  /// Stores bytes under a key, in place of the old ones.
  /// - Throws: ``SharingCore/StorageError`` if they cannot be stored; the old bytes stay.
  @_transparent
  public func set(_ bytes: [UInt8], for key: KeyName) throws(StorageError) {
    _ = try slot(for: key).replace(by: bytes)
  }

  /// Removes the bytes stored under a key, if there are some.
  /// - Throws: ``SharingCore/StorageError`` if they cannot be removed.
  @_transparent
  public func remove(_ key: KeyName) throws(StorageError) {
    _ = try slot(for: key).replace(by: nil)
  }

  /// Calls `onChange` when the key's bytes may have changed, until the subscription ends. It may be
  /// called without a change.
  @_transparent
  package func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    slot(for: key).subscribe(onChange)
  }
}

/// One key of a ``KeyValueStore``, whether or not bytes are stored under it.
///
/// ```swift
/// let slot = store.slot(for: KeyName("count"))
/// let stamp = try slot.replace(by: Array("3".utf8))
/// let isUnchanged = slot.stamp() == stamp && stamp != 0
/// ```
public protocol StoreSlot: AnyObject, Sendable {
  /// A number for the stored bytes, or for their absence. While it stays the same, so do the bytes,
  /// which need not be read. 0 (the default) if the store has no stamps.
  func stamp() -> Int32

  /// The stored bytes, nil if there are none, and a stamp that is not newer than the bytes.
  /// - Throws: ``SharingCore/StorageError`` if the bytes cannot be read.
  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32)

  /// Stores bytes in place of the old ones, or removes those if `bytes` is nil.
  /// - Returns: The stamp of these bytes, even if others were stored since; 0 without stamps.
  /// - Throws: ``SharingCore/StorageError`` if the write fails; the old bytes stay.
  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32

  /// Calls `onChange` when the bytes may have changed, until the subscription ends. It may be
  /// called without a change, and need not be called for writes through this slot.
  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

extension StoreSlot {
  /// Returns 0, for a store without stamps.
  public func stamp() -> Int32 { 0 }
}
