import WasiStorage

extension Workload {
  /// Ten thousand todos and their JSON.
  public static let codec = [
    Workload("encode 10,000 todos") {
      let todos = StoredTodo.list
      let seen = Seen()
      return { for _ in 0..<$0 { seen.value = (try? JSON.encode(todos))?.count ?? 0 } }
    },
    Workload("decode 10,000 todos") {
      let bytes = (try? JSON.encode(StoredTodo.list)) ?? []
      let seen = Seen()
      return {
        for _ in 0..<$0 {
          seen.value = (try? JSON.decode([StoredTodo].self, from: bytes))?.count ?? 0
        }
      }
    },
    Workload("encode one changed todo of 10,000") {
      var todos = StoredTodo.list
      var text = _EncodedJSON()
      try? text.update(to: todos)
      let seen = Seen()
      return {
        for count in 0..<$0 {
          todos[count % todos.count].completed.toggle()
          try? text.update(to: todos, .changed([count % todos.count]))
          seen.value = text.bytes.count
        }
      }
    },
  ]
}
