import SharingCore

/// Where keyed bytes are kept: the one seam between keys and hosts.
///
/// There are four: ``BrowserStore`` (a browser tab's storage), ``FileStore`` (a folder),
/// ``DocumentStore`` (files by path) and ``MemoryStore``. A test, or a program with a store of its
/// own, puts one in the environment:
///
/// ```swift
/// SharingEnvironment.current.stores.local = MemoryStore()
/// ```
/// A store hands out slots, and every access goes through a slot: a store that stands in front of
/// another one wraps that one's slots. Methods may be called on any thread.
public protocol KeyValueStore: AnyObject, Sendable {
  /// The slot of a key: what reads, writes and follows it.
  func slot(for key: KeyName) -> any StoreSlot

  /// The slot for a copy of another key's bytes, which nobody may read who may not read the
  /// original. By default, for stores that know no permissions, that of the key.
  func slot(for key: KeyName, withPermissionsOf original: KeyName) -> any StoreSlot
}

extension KeyValueStore {
  /// The slot of the key.
  public func slot(for key: KeyName, withPermissionsOf original: KeyName) -> any StoreSlot {
    slot(for: key)
  }
}

// MARK: Single accesses

// Transparent: Embedded Swift cannot call what is generic over a store in another module through
// `any KeyValueStore`.
extension KeyValueStore {
  /// The bytes that are stored under a key; nil when there are none.
  /// - Throws: ``SharingCore/StorageError`` when the store cannot tell.
  @_transparent
  public func bytes(for key: KeyName) throws(StorageError) -> [UInt8]? {
    try slot(for: key).read().bytes
  }

  /// Stores bytes under a key, in place of what was there.
  /// - Throws: ``SharingCore/StorageError`` when they could not be stored; the old bytes are whole.
  @_transparent
  public func set(_ bytes: [UInt8], for key: KeyName) throws(StorageError) {
    _ = try slot(for: key).replace(by: bytes)
  }

  /// Removes what is stored under a key, if there is something.
  /// - Throws: ``SharingCore/StorageError`` when it could not be removed.
  @_transparent
  public func remove(_ key: KeyName) throws(StorageError) {
    _ = try slot(for: key).replace(by: nil)
  }

  /// Calls `onChange` when the key's bytes may have changed, until the subscription ends. It may be
  /// called when nothing has changed.
  @_transparent
  public func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    slot(for: key).subscribe(onChange)
  }
}
