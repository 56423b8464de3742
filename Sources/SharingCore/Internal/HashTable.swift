/// A dictionary by chaining, for the few tables that every program carries: a specialization of
/// `Dictionary` is 5 kB of wasm, one of this 1 kB.
package struct HashTable<Key: Hashable, Value> {
  /// As many chains as a power of two, and no fewer than entries.
  private var chains: [Entry?] = []
  private var count = 0

  private final class Entry {
    let key: Key
    let hash: Int
    var value: Value
    var next: Entry?

    init(_ key: Key, _ hash: Int, _ value: Value, next: Entry?) {
      self.key = key
      self.hash = hash
      self.value = value
      self.next = next
    }
  }

  package init() {}

  /// Whether nothing has ever been in the table, or else it has been emptied at once.
  package var isUnused: Bool { chains.isEmpty }

  /// The value of a key; setting nil removes it.
  package subscript(key: Key) -> Value? {
    get { entry(key, key.hashValue)?.value }
    set {
      let hash = key.hashValue
      guard let newValue else { return remove(key, hash) }
      if let entry = entry(key, hash) {
        entry.value = newValue
      } else {
        insert(key, hash, newValue)
      }
    }
  }

  /// Removes everything.
  package mutating func removeAll() {
    chains = []
    count = 0
  }

  private func chain(_ hash: Int) -> Int {
    hash & (chains.count - 1)
  }

  private func entry(_ key: Key, _ hash: Int) -> Entry? {
    var entry = chains.isEmpty ? nil : chains[chain(hash)]
    while let candidate = entry {
      if candidate.hash == hash, candidate.key == key { return candidate }
      entry = candidate.next
    }
    return nil
  }

  private mutating func insert(_ key: Key, _ hash: Int, _ value: Value) {
    if count == chains.count { grow() }
    let chain = chain(hash)
    chains[chain] = Entry(key, hash, value, next: chains[chain])
    count += 1
  }

  private mutating func remove(_ key: Key, _ hash: Int) {
    guard let leaving = entry(key, hash) else { return }
    let chain = chain(hash)
    if chains[chain] === leaving {
      chains[chain] = leaving.next
    } else {
      var previous = chains[chain]
      while let entry = previous, entry.next !== leaving { previous = entry.next }
      previous?.next = leaving.next
    }
    count -= 1
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
