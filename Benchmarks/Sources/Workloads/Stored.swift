import SharingCore
import WasiStorage

extension Workload {
  /// Values in a page's storage. Some workloads require the stored list.
  public static let stored = [
    Workload("change a stored number") {
      let count = Shared(wrappedValue: 0, .localStorage("count"))
      return { for _ in 0..<$0 { count.withLock { $0 += 1 } } }
    },
    Workload("wrapper of a stored key, each of 10,000", operations: 10_000) {
      let first = Shared(wrappedValue: 0, .localStorage("count"))
      let seen = Seen()
      return {
        for _ in 0..<$0 {
          let wrappers = (0..<10_000).map { _ in Shared(wrappedValue: 0, .localStorage("count")) }
          seen.value = wrappers.count
        }
        _fixLifetime(first)
      }
    },
    Workload("look at an item and write it") {
      let item = SharingEnvironment.current.stores.local.slot(for: KeyName("item"))
      let texts = [Array("1".utf8), Array("2".utf8)]
      let seen = Seen()
      return {
        for _ in 0..<$0 {
          seen.value &+= Int(item.stamp())
          _ = try? item.replace(by: texts[seen.value & 1])
        }
      }
    },
    Workload("toggle one of 10,000 stored todos") {
      let todos = Shared(wrappedValue: [StoredTodo](), .localStorage("todos"))
      todos.withLock { $0 = StoredTodo.list }
      let todo = todos[id: 5000]!
      return { for _ in 0..<$0 { todo.withLock { $0.completed.toggle() } } }
    },
    Workload("first change of 10,000 loaded todos") {
      let todos = Shared(wrappedValue: [StoredTodo](), .localStorage("todos"))
      let todo = todos[id: 5000]!
      return { for _ in 0..<$0 { todo.withLock { $0.completed.toggle() } } }
    },
    // The page runs the timed code; see `page/elsewhere.js`.
    Workload("the rows of 10,000 stored todos") {
      let todos = Shared(wrappedValue: [StoredTodo](), .localStorage("todos elsewhere"))
      let seen = Seen()
      let tokens = (0..<10_000).map { id in
        let row = todos[id: id]!
        return observe { seen.value &+= row.completed.wrappedValue ? 1 : 2 }
      }
      var before = seen.value
      return { _ in
        precondition(seen.value != before, "the row has not been told")
        before = seen.value
        _fixLifetime(tokens)
      }
    },
    Workload("load 10,000 stored todos") {
      let seen = Seen()
      // Few programs have only one value, so the code that a browser compiles with the first one is
      // ready. The page's storage itself has not been opened.
      let count = Shared(wrappedValue: 0, .appStorage("count", store: MemoryStore()))
      count.withLock { $0 += 1 }
      // Loaded values stay alive, as in a program after its start: releasing them is not timed.
      nonisolated(unsafe) var held: [Shared<[StoredTodo]>] = []
      return {
        for _ in 0..<$0 {
          let todos = Shared(wrappedValue: [StoredTodo](), .localStorage("todos"))
          seen.value = todos.wrappedValue.count
          held.append(todos)
        }
      }
    },
  ]
}
