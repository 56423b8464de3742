/// One reference in a table, without the type of its key's id. The table's lock guards it.
class ReferenceEntry {
  /// The entries below this one in the table's tree.
  fileprivate final var lower: ReferenceEntry?
  fileprivate final var upper: ReferenceEntry?
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

extension ReferenceEntry {
  /// The child entry for the last bit of a path.
  fileprivate final subscript(path: Int) -> ReferenceEntry? {
    get { path & 1 == 0 ? lower : upper }
    set { if path & 1 == 0 { lower = newValue } else { upper = newValue } }
  }

  /// Appends this entry and those below it, each with its cell, if that still exists.
  fileprivate final func append(to entries: inout [(entry: ReferenceEntry, cell: Cell)]) {
    if let cell { entries.append((self, cell)) }
    lower?.append(to: &entries)
    upper?.append(to: &entries)
  }

  /// Removes a leaf below this entry and makes it this entry's successor, with its children.
  fileprivate final func removeSuccessor() -> ReferenceEntry? {
    guard var successor = lower ?? upper else { return nil }
    var parent = self
    while let child = successor.lower ?? successor.upper {
      (parent, successor) = (successor, child)
    }
    if parent.lower === successor { parent.lower = nil } else { parent.upper = nil }
    (successor.lower, successor.upper) = (lower, upper)
    (lower, upper) = (nil, nil)
    return successor
  }
}

/// Entries by id, in a binary trie: the bits of the id's hash are the path, and an entry is
/// somewhere on its path. A specialization of `Dictionary` takes 5 kB of wasm, this takes half a
/// kB.
struct ReferenceTrie {
  private var top: ReferenceEntry?
  /// Whether the table was always empty.
  private(set) var isUnused = true

  /// Returns the entry of an id, if there is one.
  func entry<ID: Hashable>(of id: ID) -> KeyedEntry<ID>? {
    var path = id.hashValue
    var next = top
    while let entry = next {
      if let entry = entry as? KeyedEntry<ID>, entry.id == id { return entry }
      next = entry[path]
      path >>= 1
    }
    return nil
  }

  /// All entries with existing cells, and these cells.
  var all: [(entry: ReferenceEntry, cell: Cell)] {
    var entries: [(entry: ReferenceEntry, cell: Cell)] = []
    top?.append(to: &entries)
    return entries
  }

  /// Inserts an entry; its id must not have one.
  mutating func insert(_ entry: ReferenceEntry) {
    isUnused = false
    guard var parent = top else { return top = entry }
    var path = entry.hash
    while let child = parent[path] {
      parent = child
      path >>= 1
    }
    parent[path] = entry
  }

  /// Removes an entry, unless it was removed before.
  mutating func remove(_ entry: ReferenceEntry) {
    if top === entry { return top = entry.removeSuccessor() }
    var path = entry.hash
    var next = top
    while let parent = next {
      next = parent[path]
      if next === entry { return parent[path] = entry.removeSuccessor() }
      path >>= 1
    }
  }
}
