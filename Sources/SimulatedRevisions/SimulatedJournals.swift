import SharingCore
import WasiStorage

/// What some programs write at once, beside a ``SimulatedDatabase``: journals and copies.
///
/// The names of clients are drawn at random: here they are listed in the order in which they were
/// first used, so that a schedule always does the same.
package final class SimulatedJournals: @unchecked Sendable {
  package let store = MemoryStore()
  private var order: [KeyName] = []
  /// The contents of items before their last write, and the writers.
  private var former: [KeyName: (bytes: [UInt8]?, writer: AnyObject?)] = [:]
  /// Whether there is no room for more.
  package var isFull = false
  /// The room in bytes; nil for no limit.
  package var capacity: Int?
  /// The number of items replaced or removed.
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
    former = [:]
  }

  /// The size of its items in bytes.
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

  /// What a client has kept last that is not stored.
  package func journal(of client: UTF8Text) -> [UInt8]? {
    let entries = names.filter { $0.journalEntry?.client == client }
    let last = entries.max { $0.journalEntry!.number < $1.journalEntry!.number }
    return last.flatMap { store.bytes(for: $0) }
  }

  /// What an item was before its last write; nil if nobody has written it since everything was
  /// cleared, or only the one who asks.
  package func former(of key: KeyName, for reader: AnyObject) -> [UInt8]?? {
    former[key].flatMap { $0.writer === reader ? nil : .some($0.bytes) }
  }

  /// Keeps an item, or removes it.
  /// - Parameter writer: Who does it.
  package func replace(_ key: KeyName, by bytes: [UInt8]?, as writer: AnyObject? = nil) {
    writeCount += 1
    former[key] = (store.bytes(for: key), writer)
    if !order.contains(key) { order.append(key) }
    if let bytes { store.set(bytes, for: key) } else { store.remove(key) }
  }
}

extension KeyName {
  /// Whether a program keeps there what is not committed.
  package var isJournal: Bool { bytes.starts(with: UTF8Text("sharing.journal").bytes) }

  /// The client whose journal it is, and the number of the entry, which is all digits behind the
  /// last dot; 0 in the older form, where a client has one item.
  package var journalEntry: (client: UTF8Text, number: Int)? {
    let words = bytes.split(separator: UInt8(ascii: "."))
    guard isJournal, words.count > 2 else { return nil }
    let last = UTF8Text(Array(words[words.count - 1]))
    guard let number = try? JSON.decode(Int.self, from: last.bytes) else { return (last, 0) }
    return (UTF8Text(Array(words[words.count - 2])), number)
  }
}
