import SharingCore

/// A store of bytes by key: the interface between keys and hosts.
///
/// There are four: ``BrowserStore`` (a browser tab's storage), ``FileStore`` (a folder),
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

  /// The slot for a copy of another key's bytes. The copy is readable only for readers of the
  /// original. By default, for stores without permissions, this is the slot of the key.
  func slot(for key: KeyName, withPermissionsOf original: KeyName) -> any StoreSlot
}

extension KeyValueStore {
  /// The slot of the key.
  public func slot(for key: KeyName, withPermissionsOf original: KeyName) -> any StoreSlot {
    slot(for: key)
  }
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
  public func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    slot(for: key).subscribe(onChange)
  }
}
