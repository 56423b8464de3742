import SharingCore
import SimulatedRevisions
import WasiStorage

/// A double in front of the host's store: it counts the writes of each key, can be full, and sends
/// notifications on demand.
final class WalkStore: SlotlessStore, @unchecked Sendable {
  private let base: any KeyValueStore
  private let hub = ChangeHub()
  private var writes: [(key: KeyName, count: Int)] = []
  private var stamps: [(key: KeyName, bytes: [UInt8]?, stamp: Int32)] = []
  private var lastStamp: Int32 = 0
  /// Called before a key is read.
  var onRead: (KeyName) -> Void = { _ in }
  /// Whether writes and removals fail.
  var isFull = false
  /// Whether the store has stamps, as in a page.
  var hasStamps = false

  init(over base: any KeyValueStore) {
    self.base = base
  }

  func read(_ key: KeyName) throws(StorageError) -> [UInt8]? {
    onRead(key)
    return try base.bytes(for: key)
  }

  func follow(
    _ key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    hub.subscribe(to: key, onChange)
  }

  func stamp(of key: KeyName) -> Int32 {
    guard hasStamps else { return 0 }
    let bytes = stored(key)
    if let known = stamps.last(where: { $0.key == key }), known.bytes == bytes {
      return known.stamp
    }
    lastStamp += 1
    stamps.append((key, bytes, lastStamp))
    return lastStamp
  }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    if isFull { throw StorageError(.quotaExceeded, key: key, "as the walk wants it") }
    if let index = writes.firstIndex(where: { $0.key == key }) {
      writes[index].count += 1
    } else {
      writes.append((key, 1))
    }
    put(bytes, under: key)
    // A store also sends notifications of its program's own writes.
    notify(key)
    return stamp(of: key)
  }

  /// Delivers the event that a key has changed.
  func notify(_ key: KeyName) {
    hub.notify(key)
  }

  /// Stores or removes bytes, like another program.
  func put(_ bytes: [UInt8]?, under key: KeyName) {
    if let bytes { try? base.set(bytes, for: key) } else { try? base.remove(key) }
  }

  /// Returns the stored bytes of a key.
  func stored(_ key: KeyName) -> [UInt8]? {
    (try? base.bytes(for: key)) ?? nil
  }

  /// Returns the number of writes and removals of a key through this store.
  func writeCount(_ key: KeyName) -> Int {
    writes.first { $0.key == key }?.count ?? 0
  }
}
