import SharingCore
import WasiStorage

extension Workload {
  /// Stored lists. The longer ones exceed a page's storage, so they are in a store in memory.
  static let longLists = [
    load("load 10,000 todos from memory", 10_000),
    load("load 100,000 todos from memory", 100_000),
    toggle("toggle one of 10,000 todos in memory", 10_000),
    toggle("toggle one of 100,000 todos in memory", 100_000),
    hear("a row hears that one of 10,000 in memory is another", 10_000),
    hear("a row hears that one of 100,000 in memory is another", 100_000),
  ]

  /// Loads from the start each time: the environment keeps no loaded value.
  private static func load(_ name: StaticString, _ count: Int) -> Workload {
    Workload(name) {
      let (environment, _) = stored(StoredTodo.list(of: count))
      let seen = Seen()
      return {
        for _ in 0..<$0 { environment.run { seen.value = wrapper().wrappedValue.count } }
      }
    }
  }

  private static func toggle(_ name: StaticString, _ count: Int) -> Workload {
    Workload(name) {
      let (environment, _) = stored(StoredTodo.list(of: count))
      let todo = environment.run { wrapper()[id: count / 2]! }
      return { for _ in 0..<$0 { todo.withLock { $0.completed.toggle() } } }
    }
  }

  private static func hear(_ name: StaticString, _ count: Int) -> Workload {
    Workload(name) {
      var list = StoredTodo.list(of: count)
      let (environment, store) = stored(list)
      list[count / 2].completed.toggle()
      let texts = [(try! store.bytes(for: "todos"))!, try! JSON.encode(list)]
      let row = environment.run { wrapper()[id: count / 2]! }
      let seen = Seen()
      let token = observe {
        _ = row.completed.wrappedValue
        seen.value &+= 1
      }
      var heard = seen.value
      return {
        for _ in 0..<$0 {
          try! store.set(texts[heard & 1], for: "todos")
          heard &+= 1
        }
        precondition(seen.value == heard, "the row has not been told")
        _fixLifetime(token)
      }
    }
  }

  /// Returns an environment whose store has the list.
  private static func stored(_ list: [StoredTodo]) -> (SharingEnvironment, MemoryStore) {
    let environment = SharingEnvironment()
    let store = MemoryStore()
    try! store.set(try! JSON.encode(list), for: "todos")
    environment.stores.local = store
    return (environment, store)
  }

  private static func wrapper() -> Shared<[StoredTodo]> {
    Shared(wrappedValue: [], .localStorage("todos"))
  }
}
