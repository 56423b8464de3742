import SharingPage

/// How todos get their ids.
enum TodoIDs {
  /// Small ones, one after the other: on a command line people type them.
  case consecutive
  /// Ones that nobody has made before: another tab may hold a todo that is gone by now, such as one
  /// whose title is being typed there, or add one at the same moment.
  case random

  /// An id that no todo of a list has.
  func free(in todos: [Todo]) -> Int64 {
    var id: Int64 = 1
    switch self {
    case .consecutive: for todo in todos where todo.id.isExact { id = max(id, todo.id + 1) }
    case .random:
      var generator = SystemRandomNumberGenerator()
      id += Int64(generator.next() >> 12)
    }
    if !id.isExact { id = 1 }
    while todos.contains(where: { $0.id == id }) { id += 1 }
    return id
  }
}

extension [Todo] {
  /// Where todos are that a page could not tell from all others by their ids.
  var positionsWithoutOwnID: [Int] {
    // A hash table of positions. A `Set` of ids would be 1.3 kB (gzip) of code.
    var slots = [Int?](repeating: nil, count: 2 * count + 1)
    return indices.filter { position in
      let id = self[position].id
      var slot = Int(id.magnitude % UInt64(slots.count))
      while let other = slots[slot] {
        if self[other].id == id { return true }
        slot = (slot + 1) % slots.count
      }
      slots[slot] = position
      return !id.isExact
    }
  }
}

extension Int64 {
  /// Whether JavaScript's numbers have it, which end at 53 bits: pages read this list, too.
  fileprivate var isExact: Bool { magnitude >> 53 == 0 }
}
