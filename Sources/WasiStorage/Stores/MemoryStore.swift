import SharingCore

/// A store in memory, for tests and for hosts without another store.
///
/// Two environments over one memory store are like two programs over one `localStorage`: each is
/// notified of the other's changes.
///
/// ```swift
/// let store = MemoryStore()
/// SharingEnvironment.current.stores.local = store
/// ```
public final class MemoryStore: KeyValueStore, @unchecked Sendable {
  private let lock = Lock()
  /// In the order of their first use. An item stays when its bytes are removed.
  private var items: [Item] = []

  /// An empty store.
  public init() {}

  /// The slot of a key.
  public func slot(for key: KeyName) -> any StoreSlot { MemorySlot(item(for: key)) }

  /// The bytes stored under a key; nil if there are none.
  package func bytes(for key: KeyName) -> [UInt8]? {
    let item = item(for: key)
    return item.lock.withLock { item.bytes }
  }

  /// Stores bytes under a key.
  package func set(_ bytes: [UInt8], for key: KeyName) {
    _ = item(for: key).replace(by: bytes, from: nil)
  }

  /// Removes the bytes stored under a key.
  package func remove(_ key: KeyName) {
    _ = item(for: key).replace(by: nil, from: nil)
  }

  /// The keys of all items, sorted by their bytes.
  package func keys() -> [KeyName] {
    lock.withLock { items.filter { $0.hasBytes }.map { $0.key }.sorted { $0.precedes($1) } }
  }

  private func item(for key: KeyName) -> Item {
    lock.withLock {
      if let item = items.first(where: { $0.key == key }) { return item }
      let item = Item(key)
      items.append(item)
      return item
    }
  }
}

/// The item of a key in a memory store.
private final class Item: @unchecked Sendable {
  let key: KeyName
  let lock = Lock()
  let hub = ChangeHub()
  /// Guarded by the lock, as is `stamp`.
  var bytes: [UInt8]?
  var stamp: Int32 = 1

  init(_ key: KeyName) {
    self.key = key
  }

  var hasBytes: Bool { lock.withLock { bytes != nil } }

  /// Stores bytes, or removes the stored ones if they are nil, and notifies the other slots.
  /// - Returns: The new stamp.
  func replace(by bytes: [UInt8]?, from slot: MemorySlot?) -> Int32 {
    let stamp = lock.withLock {
      self.bytes = bytes
      self.stamp = self.stamp == .max ? 1 : self.stamp + 1
      return self.stamp
    }
    hub.notify(key, from: slot)
    return stamp
  }
}

private final class MemorySlot: StoreSlot {
  private let item: Item

  init(_ item: Item) {
    self.item = item
  }

  func stamp() -> Int32 { item.lock.withLock { item.stamp } }

  func read() -> (bytes: [UInt8]?, stamp: Int32) {
    item.lock.withLock { (item.bytes, item.stamp) }
  }

  func replace(by bytes: [UInt8]?) -> Int32 { item.replace(by: bytes, from: self) }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    item.hub.subscribe(to: item.key, as: self, onChange)
  }
}
