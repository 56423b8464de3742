/// One reference in a table, whatever the type of its key's id. The table's lock guards it.
class ReferenceEntry {
  /// The entries below this one in the table's tree.
  fileprivate final var lower: ReferenceEntry?
  fileprivate final var upper: ReferenceEntry?
  /// The cell of a value without a connection: the table is its only store.
  private final let kept: Cell?
  /// The link of any other cell, which does not keep that.
  private final let link: CellPersistence?

  /// The hash of the id.
  fileprivate final let hash: Int

  fileprivate init(_ hash: Int, _ cell: Cell) {
    self.hash = hash
    link = cell.persistence
    kept = link == nil ? cell : nil
  }

  /// The cell, as long as somebody refers to it.
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
  /// The entry below, by the last bit of a path.
  fileprivate final subscript(path: Int) -> ReferenceEntry? {
    get { path & 1 == 0 ? lower : upper }
    set { if path & 1 == 0 { lower = newValue } else { upper = newValue } }
  }

  /// Appends this entry and those below it, each with its cell, if the cell is still in use.
  fileprivate final func append(to entries: inout [(entry: ReferenceEntry, cell: Cell)]) {
    if let cell { entries.append((self, cell)) }
    lower?.append(to: &entries)
    upper?.append(to: &entries)
  }

  /// Takes the entry from the end of some path below, and gives it all that is below this one.
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

/// Entries by their id: a binary tree, in which the bits of the id's hash are the path, and an
/// entry is somewhere on its path. A specialization of `Dictionary` is 5 kB of wasm, this half of
/// one.
struct ReferenceTrie {
  private var top: ReferenceEntry?
  /// Whether nothing has ever been in the table.
  private(set) var isUnused = true

  /// The entry of an id, if there is one.
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

  /// All entries whose cells are still in use, with their cells.
  var all: [(entry: ReferenceEntry, cell: Cell)] {
    var entries: [(entry: ReferenceEntry, cell: Cell)] = []
    top?.append(to: &entries)
    return entries
  }

  /// Inserts an entry whose id has none.
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

  /// Removes an entry, unless it has been removed.
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
