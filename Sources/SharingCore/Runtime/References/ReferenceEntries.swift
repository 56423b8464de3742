/// One reference in a table, without the type of its key's id. The table's lock guards it.
class ReferenceEntry {
  /// The cell of a value without a connection: the table is its only store.
  private final let kept: Cell?
  /// The link of any other cell; it does not retain the cell.
  private final let link: CellPersistence?
  /// The hash of the id.
  fileprivate final let hash: Int

  fileprivate init(_ hash: Int, _ cell: Cell) {
    self.hash = hash
    link = cell.persistence
    kept = link == nil ? cell : nil
  }

  /// The cell, nil after its last reference is gone.
  final var cell: Cell? { kept ?? link?.cell }
}

/// A reference in a table, with its key's id: Embedded Swift has no `AnyHashable`.
final class KeyedEntry<ID: Hashable>: ReferenceEntry {
  let id: ID

  init(_ id: ID, _ cell: Cell) {
    self.id = id
    super.init(id.hashValue, cell)
  }
}

/// Entries in any order, since programs have few keys. A specialization of `Dictionary` takes 5 kB
/// of wasm.
struct ReferenceEntries {
  private var entries: [ReferenceEntry] = []
  /// Whether there never was an entry.
  private(set) var isUnused = true

  /// Returns the cell of an id, if there is one.
  func cell<ID: Hashable>(of id: ID) -> Cell? {
    let hash = id.hashValue
    for entry in entries where entry.hash == hash {
      if let entry = entry as? KeyedEntry<ID>, entry.id == id, let cell = entry.cell { return cell }
    }
    return nil
  }

  /// All entries with existing cells, and these cells.
  var all: [(entry: ReferenceEntry, cell: Cell)] {
    entries.compactMap { entry in entry.cell.map { (entry, $0) } }
  }

  /// Inserts an entry; its id must not have a cell.
  mutating func insert(_ entry: ReferenceEntry) {
    isUnused = false
    entries.append(entry)
  }

  /// Removes an entry, unless it was removed before.
  mutating func remove(_ entry: ReferenceEntry) {
    guard let index = entries.firstIndex(where: { $0 === entry }) else { return }
    let last = entries.removeLast()
    if index < entries.count { entries[index] = last }
  }
}
