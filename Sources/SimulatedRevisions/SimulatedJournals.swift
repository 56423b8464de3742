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

  package init() {}

  /// The names, in the order in which they were first used.
  package var names: [KeyName] {
    let names = store.keys()
    return order.filter { names.contains($0) } + names.filter { !order.contains($0) }
  }

  package func clear() {
    for key in store.keys() { store.remove(key) }
  }

  /// Keeps an item, or removes it.
  package func replace(_ key: KeyName, by bytes: [UInt8]?) {
    if !order.contains(key) { order.append(key) }
    if let bytes { store.set(bytes, for: key) } else { store.remove(key) }
  }
}

extension KeyName {
  /// Whether a program keeps there what is not committed.
  package var isJournal: Bool { bytes.starts(with: UTF8Text("sharing.journal").bytes) }
}
