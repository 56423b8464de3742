import SharingCore
import WasiStorage

/// The journals and copies of several programs, written at once, beside a ``SimulatedDatabase``.
///
/// The names of clients are random. They are listed in the order of their first use, so that a
/// schedule always has the same result.
package final class SimulatedJournals: @unchecked Sendable {
  package let store = MemoryStore()
  /// Tells programs of writes, unless these are deaf.
  package let hub = ChangeHub()
  package var isDeaf = false
  /// The number of writes after which the first program ends; nil if it does not.
  package var writesUntilEnd: Int?
  private var order: [KeyName] = []
  /// The contents of items before their last write, and the writers.
  private var former: [KeyName: (bytes: [UInt8]?, writer: AnyObject?)] = [:]
  /// Whether there is no room for further items.
  package var isFull = false
  /// The maximum size of all items in bytes; nil for no limit.
  package var capacity: Int?
  /// The number of items replaced or removed.
  package private(set) var writeCount = 0
  /// The uses of the items since a test has emptied it.
  package var uses: Uses = []
  /// Called when a program is about to remove a journal.
  package var willRemove: () -> Void = {}

  package init() {}

  /// Uses of the items. Two programs' events commute if neither has written items that the
  /// other has used.
  package struct Uses: OptionSet, Sendable {
    package let rawValue: UInt8
    package static let readsJournals = Uses(rawValue: 1)
    package static let writesJournals = Uses(rawValue: 2)
    package static let readsOthers = Uses(rawValue: 4)
    package static let writesOthers = Uses(rawValue: 8)

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whether another program's uses do not depend on these.
    package func leave(_ other: Uses) -> Bool {
      let journals = contains(.writesJournals) && other.contains(.readsJournals)
      let others =
        contains(.writesOthers) && !other.isDisjoint(with: [.readsOthers, .writesOthers])
      return !journals && !others
    }
  }

  /// The names in the order of their first use.
  package var names: [KeyName] {
    let names = store.keys()
    return order.filter { names.contains($0) } + names.filter { !order.contains($0) }
  }

  package func clear() {
    for key in store.keys() { store.remove(key) }
    former = [:]
  }

  /// The size of all items in bytes.
  package var size: Int { store.keys().reduce(0) { $0 + size($1, store.bytes(for: $1)) } }

  /// Whether there is room for a new content of an item.
  package func hasRoom(for bytes: [UInt8]?, under key: KeyName) -> Bool {
    guard bytes != nil else { return true }
    let others = size - size(key, store.bytes(for: key))
    return !isFull && capacity.map { others + size(key, bytes) <= $0 } ?? true
  }

  private func size(_ key: KeyName, _ bytes: [UInt8]?) -> Int {
    bytes.map { key.bytes.count + $0.count } ?? 0
  }

  /// Returns a client's newest journal entry; nil if it has none.
  package func journal(of client: UTF8Text) -> [UInt8]? {
    let entries = names.filter { $0.journalEntry?.client == client }
    let last = entries.max { $0.journalEntry!.number < $1.journalEntry!.number }
    return last.flatMap { store.bytes(for: $0) }
  }

  /// Returns the content of an item before its last write. Returns nil if the reader was the last
  /// writer, or if the item was not written since `clear()`.
  package func former(of key: KeyName, for reader: AnyObject) -> [UInt8]?? {
    former[key].flatMap { $0.writer === reader ? nil : .some($0.bytes) }
  }

  /// Stores or removes an item.
  /// - Parameter writer: The program that does so.
  package func replace(_ key: KeyName, by bytes: [UInt8]?, as writer: AnyObject? = nil) {
    writeCount += 1
    uses.insert(key.isJournal ? .writesJournals : .writesOthers)
    former[key] = (store.bytes(for: key), writer)
    if !order.contains(key) { order.append(key) }
    if let bytes { store.set(bytes, for: key) } else { store.remove(key) }
  }
}

extension KeyName {
  /// Whether it is the name of a journal.
  package var isJournal: Bool { bytes.starts(with: UTF8Text("sharing.journal").bytes) }

  /// The client of the journal, and the number of the entry: the digits after the last dot.
  package var journalEntry: (client: UTF8Text, number: Int)? {
    let words = bytes.split(separator: UInt8(ascii: "."))
    guard isJournal, words.count > 2 else { return nil }
    guard let number = try? JSON.decode(Int.self, from: Array(words[words.count - 1]))
    else { return nil }
    return (UTF8Text(Array(words[words.count - 2])), number)
  }
}
