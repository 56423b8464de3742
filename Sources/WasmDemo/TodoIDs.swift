import SharingPage

/// The source of the todos' ids.
enum TodoIDs {
  /// Small ones, one after the other: on a command line people type them. The last one is kept, so
  /// that none is made again when its todo has been removed.
  case consecutive(last: Shared<Int>)
  /// Ones that nobody has made before: another tab may hold a todo that is gone by now, such as one
  /// whose title is being typed there, or add one at the same moment.
  case random

  static var consecutive: TodoIDs {
    .consecutive(last: Shared(wrappedValue: 0, .localStorage("todos-last-id")))
  }

  /// Returns ids for some todos, in sequence; no todo of a list has the first one.
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
  /// Where todos are that a page could not tell from all others by their ids.
  var positionsWithoutOwnID: [Int] {
    var taken: Set<Int64> = []
    return indices.filter { !self[$0].id.isExact || !taken.insert(self[$0].id).inserted }
  }
}

extension Int64 {
  /// Whether JavaScript's numbers have it, which end at 53 bits: pages read this list, too.
  fileprivate var isExact: Bool { magnitude >> 53 == 0 }
}
