/// One reference in a table, whatever the type of its key's id. The table's lock guards it.
class TableEntry {
  /// The entries below this one in the table's tree.
  fileprivate final var lower: TableEntry?
  fileprivate final var upper: TableEntry?
  /// The root, if it lives as long as the table, or else what refers to it without keeping it.
  private final var listed: AnyObject

  fileprivate init(_ root: Root, _ lifetime: SharedLifetime) {
    switch lifetime {
    case .environment: listed = root
    case .whileReferenced: listed = Unkept(root)
    }
  }

  private final class Unkept {
    let root: WeakReference<Root>

    init(_ root: Root?) {
      self.root = WeakReference(root)
    }
  }

  /// The id's hash.
  fileprivate var hash: Int { fatalError("hash is overridden") }

  /// The root, as long as somebody refers to it.
  final var root: Root? {
    if let unkept = listed as? Unkept {
      unkept.root.object
    } else {
      unsafeDowncast(listed, to: Root.self)
    }
  }

  /// The root goes.
  final func forgetRoot() {
    listed = Unkept(nil)
  }
}

/// A reference in a table, with its key's id: Embedded Swift has no `AnyHashable`.
final class KeyedEntry<ID: Hashable>: TableEntry {
  let id: ID

  init(_ id: ID, _ root: Root, _ lifetime: SharedLifetime) {
    self.id = id
    super.init(root, lifetime)
  }

  override fileprivate var hash: Int { id.hashValue }
}

extension TableEntry {
  /// The entry below, by the last bit of a path.
  fileprivate final subscript(path: Int) -> TableEntry? {
    get { path & 1 == 0 ? lower : upper }
    set { if path & 1 == 0 { lower = newValue } else { upper = newValue } }
  }

  /// This entry and those below it, with their roots as far as somebody refers to those.
  fileprivate final var all: [(entry: TableEntry, root: Root)] {
    let own = root.map { [(self, $0)] } ?? []
    return own + (lower?.all ?? []) + (upper?.all ?? [])
  }

  /// Takes the entry from the end of some path below, and gives it all that is below this one.
  fileprivate final func takeHeir() -> TableEntry? {
    guard var heir = lower ?? upper else { return nil }
    var parent = self
    while let child = heir.lower ?? heir.upper { (parent, heir) = (heir, child) }
    if parent.lower === heir { parent.lower = nil } else { parent.upper = nil }
    (heir.lower, heir.upper) = (lower, upper)
    (lower, upper) = (nil, nil)
    return heir
  }
}

/// Entries by their id: a binary tree, in which the bits of the id's hash are the path, and an entry is
/// somewhere on its path. A specialization of `Dictionary` is 5 kB of wasm, this half of one.
struct EntryTable {
  private var top: TableEntry?
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

  /// All entries, with their roots as far as somebody refers to those.
  var all: [(entry: TableEntry, root: Root)] { top?.all ?? [] }

  /// Inserts an entry whose id has none.
  mutating func insert(_ entry: TableEntry) {
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
  mutating func remove(_ entry: TableEntry) {
    if top === entry { return top = entry.takeHeir() }
    var path = entry.hash
    var next = top
    while let parent = next {
      next = parent[path]
      if next === entry { return parent[path] = entry.takeHeir() }
      path >>= 1
    }
  }
}
