import SharingCore

extension Workload {
  /// One todo of many, toggled; the tables compare many with few.
  public static let lists = [
    toggle("toggle a held todo of 10", among: 10),
    toggle("toggle a held todo of 10,000", among: 10_000),
    toggle("toggle a held todo of 100,000", among: 100_000),
    togglePart("toggle a held todo's .isCompleted, of 10", among: 10),
    togglePart("toggle a held todo's .isCompleted, of 10,000", among: 10_000),
    find("find $todos[id:] and toggle, of 10", among: 10),
    find("find $todos[id:] and toggle, of 10,000", among: 10_000),
    find("find $todos[id:] and toggle, of 100,000", among: 100_000),
    wakeRow("toggle one of 10 observed rows", among: 10),
    wakeRow("toggle one of 10,000 observed rows", among: 10_000),
  ]
}

private func todos(_ key: String, _ count: Int) -> Shared<[Todo]> {
  Shared(wrappedValue: Todo.list(of: count), .inMemory("\(key) \(count)"))
}

private func toggle(_ name: StaticString, among count: Int) -> Workload {
  Workload(name) {
    let todo = todos("toggle", count)[id: count / 2]!
    return { for _ in 0..<$0 { todo.withLock { $0.isCompleted.toggle() } } }
  }
}

private func togglePart(_ name: StaticString, among count: Int) -> Workload {
  Workload(name) {
    let todo = todos("toggle part", count)[id: count / 2]!
    return { for _ in 0..<$0 { todo.isCompleted.withLock { $0.toggle() } } }
  }
}

private func find(_ name: StaticString, among count: Int) -> Workload {
  Workload(name) {
    let todos = todos("find", count)
    let next = Seen()
    return {
      for _ in 0..<$0 {
        // Each of them, in an order that is none.
        next.value = (next.value + 7919) % count
        todos[id: next.value]!.withLock { $0.isCompleted.toggle() }
      }
    }
  }
}

private func wakeRow(_ name: StaticString, among count: Int) -> Workload {
  Workload(name) {
    let todos = todos("wake row", count)
    let rows = (0..<count).map { todos[id: $0]! }
    let seen = Seen()
    let tokens = rows.map { row in
      observe { seen.value = row.isCompleted.wrappedValue ? 1 : 0 }
    }
    let row = rows[count / 2]
    return { iterations in
      for _ in 0..<iterations { row.isCompleted.withLock { $0.toggle() } }
      _fixLifetime(tokens)
    }
  }
}
