import SharingCore

/// The place of one key in a ``KeyValueStore``, whether or not bytes are stored there.
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
