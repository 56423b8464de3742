import SharingCore
import WasiStorage

/// What some programs write at once, beside a ``SimulatedDatabase``: journals and copies.
///
/// The names of clients are drawn at random: here they are listed in the order in which they were
/// first used, so that a schedule always does the same.
package final class SimulatedJournals: @unchecked Sendable {
  package let store = MemoryStore()
  private var order: [KeyName] = []
  /// Whether there is no room for more.
  package var isFull = false
  /// How many bytes there is room for; nil for any number.
  package var capacity: Int?
  /// How often an item was replaced or removed.
  package private(set) var writeCount = 0
  /// Called when a program is about to remove a journal.
  package var willRemove: () -> Void = {}

  package init() {}

  /// The names, in the order in which they were first used.
  package var names: [KeyName] {
    let names = store.keys()
    return order.filter { names.contains($0) } + names.filter { !order.contains($0) }
  }

  package func clear() {
    for key in store.keys() { store.remove(key) }
  }

  /// How many bytes its items are.
  package var size: Int { store.keys().reduce(0) { $0 + size($1, store.bytes(for: $1)) } }

  /// Whether an item has room, in place of the one that is there.
  package func hasRoom(for bytes: [UInt8]?, under key: KeyName) -> Bool {
    guard bytes != nil else { return true }
    let others = size - size(key, store.bytes(for: key))
    return !isFull && capacity.map { others + size(key, bytes) <= $0 } ?? true
  }

  private func size(_ key: KeyName, _ bytes: [UInt8]?) -> Int {
    bytes.map { key.bytes.count + $0.count } ?? 0
  }

  /// Keeps an item, or removes it.
  package func replace(_ key: KeyName, by bytes: [UInt8]?) {
    writeCount += 1
    if !order.contains(key) { order.append(key) }
    if let bytes { store.set(bytes, for: key) } else { store.remove(key) }
  }
}

extension KeyName {
  /// Whether a program keeps there what is not committed.
  package var isJournal: Bool { bytes.starts(with: UTF8Text("sharing.journal").bytes) }
}
