import SharingCore

/// A store in memory: for tests, and where nothing else can be had.
///
/// Two environments over one such store are two programs over one `localStorage`: each hears of the
/// other's changes.
///
/// ```swift
/// let store = MemoryStore()
/// SharingEnvironment.current.stores.local = store
/// ```
public final class MemoryStore: KeyValueStore, @unchecked Sendable {
  private let lock = Lock()
  private let hub = ChangeHub()
  /// In the order of their keys' bytes.
  private var items = ObjectList<Item>()

  private final class Item {
    let key: KeyName
    var bytes: [UInt8]

    init(_ key: KeyName, _ bytes: [UInt8]) {
      self.key = key
      self.bytes = bytes
    }
  }

  /// An empty store.
  public init() {}

  deinit {
    items.free()
  }

  /// The bytes that are stored under a key.
  public func bytes(for key: KeyName) -> [UInt8]? {
    lock.withLock {
      let index = index(of: key)
      return isItem(key, at: index) ? items[index].bytes : nil
    }
  }

  /// Stores bytes under a key.
  public func set(_ bytes: [UInt8], for key: KeyName) {
    lock.withLock {
      let index = index(of: key)
      if isItem(key, at: index) {
        items[index].bytes = bytes
      } else {
        items.insert(Item(key, bytes), at: index)
      }
    }
    hub.notify(key)
  }

  /// Removes what is stored under a key.
  public func remove(_ key: KeyName) {
    lock.withLock {
      let index = index(of: key)
      if isItem(key, at: index) { items.remove(at: index) }
    }
    hub.notify(key)
  }

  /// Removes everything, as `localStorage.clear()` does.
  public func removeAll() {
    lock.withLock {
      items.free()
      items = ObjectList()
    }
    hub.notify(nil)
  }

  /// Follows every change of a key.
  public func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    hub.subscribe(to: key, onChange)
  }

  /// Where the key's item is, or else would be.
  private func index(of key: KeyName) -> Int {
    var range = 0..<items.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if items[middle].key < key {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }

  private func isItem(_ key: KeyName, at index: Int) -> Bool {
    index < items.count && items[index].key == key
  }
}

extension MemoryStore: ListableStore {
  /// The keys of all items, in the order of their bytes.
  public func keys() -> [KeyName] {
    lock.withLock { (0..<items.count).map { items[$0].key } }
  }
}
