import SharingCore

extension Workload {
  /// Toggles one of many todos; the tables compare long lists with short ones.
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
    toggleAll("for todo in $todos, toggled, of 10,000", among: 10_000),
    readAll("for todo in $todos, read, of 10,000", among: 10_000),
    copies("Array($todos) of 10,000", among: 10_000),
    position("find $todos[0] and toggle, of 10,000", among: 10_000),
    togglePosition("toggle a held $todos[0] of 10,000", among: 10_000),
    observePosition("toggle an observed $todos[0] of 10,000", among: 10_000),
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
        // Visits all of them in a scattered order.
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

private func toggleAll(_ name: StaticString, among count: Int) -> Workload {
  Workload(name, operations: count) {
    let todos = todos("toggle all", count)
    return {
      for _ in 0..<$0 { for todo in todos { todo.withLock { $0.isCompleted.toggle() } } }
    }
  }
}

private func readAll(_ name: StaticString, among count: Int) -> Workload {
  Workload(name, operations: count) {
    let todos = todos("read all", count)
    let seen = Seen()
    return {
      for _ in 0..<$0 { for todo in todos { seen.value &+= todo.isCompleted.wrappedValue ? 1 : 0 } }
    }
  }
}

private func copies(_ name: StaticString, among count: Int) -> Workload {
  Workload(name, operations: count) {
    let todos = todos("copies", count)
    let seen = Seen()
    return { for _ in 0..<$0 { seen.value &+= Array(todos).count } }
  }
}

private func position(_ name: StaticString, among count: Int) -> Workload {
  Workload(name) {
    let todos = todos("position", count)
    let next = Seen()
    return {
      for _ in 0..<$0 {
        next.value = (next.value + 7919) % count
        todos[next.value].withLock { $0.isCompleted.toggle() }
      }
    }
  }
}

private func togglePosition(_ name: StaticString, among count: Int) -> Workload {
  Workload(name) {
    let todo = todos("toggle position", count)[count / 2]
    return { for _ in 0..<$0 { todo.withLock { $0.isCompleted.toggle() } } }
  }
}

private func observePosition(_ name: StaticString, among count: Int) -> Workload {
  Workload(name) {
    let todos = todos("observe position", count)
    let seen = Seen()
    let token = observe { seen.value &+= todos[count / 2].isCompleted.wrappedValue ? 1 : 0 }
    let todo = todos[count / 2]
    return {
      for _ in 0..<$0 { todo.isCompleted.withLock { $0.toggle() } }
      _fixLifetime(token)
    }
  }
}
