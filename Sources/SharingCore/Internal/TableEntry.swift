/// One reference in a table, whatever the type of its key's id. The table's lock guards it.
class TableEntry {
  fileprivate final var next: TableEntry?
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
  fileprivate let id: ID

  init(_ id: ID, _ root: Root, _ lifetime: SharedLifetime) {
    self.id = id
    super.init(root, lifetime)
  }

  override fileprivate var hash: Int { id.hashValue }
}

/// Entries by the hash of their id: a dictionary by chaining. A specialization of `Dictionary` is 5 kB
/// of wasm, this 1 kB.
struct EntryTable {
  /// As many chains as a power of two, and no fewer than entries.
  private var chains: [TableEntry?] = []
  private var count = 0

  /// Whether nothing has ever been in the table.
  var isUnused: Bool { chains.isEmpty }

  /// The entry of an id, if there is one.
  func entry<ID: Hashable>(of id: ID) -> KeyedEntry<ID>? {
    var next = chains.isEmpty ? nil : chains[chain(id.hashValue)]
    while let entry = next {
      if let entry = entry as? KeyedEntry<ID>, entry.id == id { return entry }
      next = entry.next
    }
    return nil
  }

  /// Inserts an entry whose id has none.
  mutating func insert(_ entry: TableEntry) {
    if count == chains.count { grow() }
    let chain = chain(entry.hash)
    entry.next = chains[chain]
    chains[chain] = entry
    count += 1
  }

  /// Removes an entry, unless it has been removed.
  mutating func remove(_ entry: TableEntry) {
    guard !chains.isEmpty else { return }
    let chain = chain(entry.hash)
    if chains[chain] === entry {
      chains[chain] = entry.next
    } else {
      var previous = chains[chain]
      while let candidate = previous, candidate.next !== entry { previous = candidate.next }
      guard let previous else { return }
      previous.next = entry.next
    }
    entry.next = nil
    count -= 1
  }

  private func chain(_ hash: Int) -> Int {
    hash & (chains.count - 1)
  }

  private mutating func grow() {
    let old = chains
    chains = Array(repeating: nil, count: max(8, 2 * old.count))
    for first in old {
      var next = first
      while let entry = next {
        next = entry.next
        let chain = chain(entry.hash)
        entry.next = chains[chain]
        chains[chain] = entry
      }
    }
  }
}
