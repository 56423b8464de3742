/// The positions of ids in a list, by the hashes of the ids: a hash table with open addressing, at
/// most half full.
///
/// A `Set` of ids would be code of its own for each type of ids, 2 kB in wasm.
struct IDTable {
  /// The positions; -1 in an empty slot.
  private var slots: [Int]

  init(capacity: Int) {
    var count = 2
    while count < 2 * capacity { count *= 2 }
    slots = Array(repeating: -1, count: count)
  }

  /// Adds the position of an id, unless the table has the id.
  /// - Parameter isEqual: Whether another position with the hash is that of the same id.
  /// - Returns: Whether it was added.
  @inline(never)
  mutating func insert(_ position: Int, _ hash: Int, isEqual: (_ position: Int) -> Bool) -> Bool {
    let slot = slot(of: hash, isEqual)
    if slots[slot] >= 0 { return false }
    slots[slot] = position
    return true
  }

  /// Returns whether the table has an id.
  func contains(_ hash: Int, isEqual: (_ position: Int) -> Bool) -> Bool {
    slots[slot(of: hash, isEqual)] >= 0
  }

  /// Returns the slot of an id, or the one for it.
  @inline(never)
  private func slot(of hash: Int, _ isEqual: (_ position: Int) -> Bool) -> Int {
    var slot = hash
    while true {
      slot &= slots.count - 1
      if slots[slot] < 0 || isEqual(slots[slot]) { return slot }
      slot += 1
    }
  }
}
