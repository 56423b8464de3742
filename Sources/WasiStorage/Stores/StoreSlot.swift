import SharingCore

/// The place of one key in a ``KeyValueStore``, whether something is stored there or not.
///
/// ```swift
/// let slot = store.slot(for: KeyName("count"))
/// let stamp = try slot.replace(by: Array("3".utf8))
/// let isUnchanged = slot.stamp() == stamp && stamp != 0
/// ```
public protocol StoreSlot: AnyObject, Sendable {
  /// A number for what is stored, or for there being nothing: while it stays the same, so do the
  /// bytes, and nobody has to read them to know that. 0 (the default) where only reading tells.
  func stamp() -> Int32

  /// The stored bytes, nil when there are none, and the stamp that they had no later than they were
  /// read.
  /// - Throws: ``SharingCore/StorageError`` when the store cannot tell.
  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32)

  /// Stores bytes in place of what was there, or removes that when they are nil.
  /// - Returns: The stamp of what was stored, whatever others have stored since; 0 without one.
  /// - Throws: ``SharingCore/StorageError`` when that could not be done; the old bytes are whole.
  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32

  /// Calls `onChange` when the bytes may have changed, until the subscription ends. It may be
  /// called when nothing has changed, and need not be for what was stored through this very slot.
  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

extension StoreSlot {
  /// Only reading tells.
  public func stamp() -> Int32 { 0 }
}
