import SharingPage

/// The source of the todos' ids.
enum TodoIDs {
  /// Consecutive small numbers, which people type on a command line. The last one is stored, so
  /// that the id of a removed todo is not used again.
  case consecutive(last: Shared<Int>)
  /// Random numbers, which no other tab uses. Another tab may still have a removed todo, whose
  /// title is being edited there, or add a todo at the same moment.
  case random

  static var consecutive: TodoIDs {
    .consecutive(last: Shared(wrappedValue: 0, .localStorage("todos-last-id")))
  }

  /// Makes consecutive ids for new todos. No todo of the list has the first one.
  /// - Returns: The first id.
  func free(in todos: [Todo], count: Int = 1) -> Int64 {
    var id: Int64 = 1
    switch self {
    case .consecutive(let last):
      id = max(1, Int64(last.wrappedValue) &+ 1)
      for todo in todos where todo.id.isExact { id = max(id, todo.id + 1) }
    case .random:
      var generator = SystemRandomNumberGenerator()
      id += Int64(generator.next() >> 12)
    }
    if !id.isExact { id = 1 }
    while todos.contains(where: { $0.id == id }) { id += 1 }
    if case .consecutive(let last) = self {
      last.withLock { $0 = Int(clamping: id + Int64(count) - 1) }
    }
    return id
  }
}

extension [Todo] {
  /// Whether a todo has an id that is exact in JavaScript, and that no other todo has.
  func hasOwnID(at position: Int) -> Bool {
    let id = self[position].id
    return id.isExact && count { $0.id == id } == 1
  }

  /// The positions of todos with the id of an earlier todo, or with one that is not exact in
  /// JavaScript.
  var positionsWithoutOwnID: [Int] {
    var taken: Set<Int64> = []
    return indices.filter { !self[$0].id.isExact || !taken.insert(self[$0].id).inserted }
  }
}

extension Int64 {
  /// Whether JavaScript's numbers, which have 53 bits, can represent it. Pages read this list, too.
  fileprivate var isExact: Bool { magnitude >> 53 == 0 }
}
