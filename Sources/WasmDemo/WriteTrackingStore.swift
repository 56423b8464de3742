import SharingPage

/// A store that tells changes by this program from changes by others.
final class WriteTrackingStore: KeyValueStore, @unchecked Sendable {
  /// The store itself. A write to it counts as a write of another program.
  let base: any KeyValueStore
  /// The bytes that this program is writing.
  private(set) var written: [UInt8]?
  private(set) var isWriting = false

  init(over base: any KeyValueStore) {
    self.base = base
  }

  func slot(for key: KeyName) -> any StoreSlot {
    WriteTrackingSlot(over: base.slot(for: key), in: self)
  }

  fileprivate func write(_ bytes: [UInt8]?, to slot: any StoreSlot) throws(StorageError) -> Int32 {
    (isWriting, written) = (true, bytes)
    defer { (isWriting, written) = (false, nil) }
    return try slot.replace(by: bytes)
  }
}

/// A slot of a ``WriteTrackingStore``. It reads directly from the store's slot.
private final class WriteTrackingSlot: StoreSlot {
  private let base: any StoreSlot
  private let store: WriteTrackingStore

  init(over base: any StoreSlot, in store: WriteTrackingStore) {
    self.base = base
    self.store = store
  }

  func stamp() -> Int32 { base.stamp() }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) { try base.read() }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    try store.write(bytes, to: base)
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    base.subscribe(onChange)
  }
}
