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

  /// A number for what is stored under a key, or for there being nothing: for as long as it stays
  /// the same, so do the bytes, and they need not be read to know that. 0 where only reading tells, which
  /// is what a store tells that does not have this.
  func stamp(of key: KeyName) -> Int32

  /// Stores bytes under a key, or removes what is there when they are nil. A store without stamps
  /// leaves this as it is.
  /// - Returns: The stamp of what was stored, whatever others have stored since; 0 without one.
  /// - Throws: ``StorageError`` as ``set(_:for:)`` and ``remove(_:)``.
  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32
}

extension KeyValueStore {
  /// None: only reading tells.
  public func stamp(of key: KeyName) -> Int32 { 0 }

  /// Sets or removes.
  public func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    if let bytes { try set(bytes, for: key) } else { try remove(key) }
    return 0
  }
}
