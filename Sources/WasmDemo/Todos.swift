import SharingPage

/// The list of todos. Each todo is a part of it: toggling one changes no other todo, and runs no
/// observer of another one.
struct Todos {
  @Shared(.localStorage("todos-sharing")) var todos: [Todo] = []
  private let ids: TodoIDs

  init(_ ids: TodoIDs) {
    self.ids = ids
  }

  func add(_ title: UTF8Text) {
    $todos.append { Todo(id: ids.free(in: $0), title: title) }
  }

  /// Renames a todo, or removes it if the title is empty.
  func rename(_ todo: Shared<Todo>, _ title: UTF8Text) {
    if title.isEmpty { $todos.remove(id: todo.id) } else { todo.title.withLock { $0 = title } }
  }

  /// Completes all todos, or none if all visible ones are completed. Todos that another tab has
  /// just added get the same state.
  func toggleAll() {
    if todos.isEmpty { return }
    let isAnyLeft = todos.contains { !$0.completed }
    $todos.withLock { todos in
      for position in todos.indices { todos[position].completed = isAnyLeft }
    }
  }

  func clearCompleted() {
    $todos.withLock { $0 = $0.filter { !$0.completed } }
  }

  /// Separates the todos after changes that may have brought such an id.
  func separate(_ todos: [Todo], _ changes: ElementChanges) {
    switch changes {
    case .removed: break
    case .changed(let positions) where positions.count == 1:
      if !todos.hasOwnID(at: positions[0]) { separate() }
    default: separate()
    }
  }

  /// Gives a new id to each todo with a missing or duplicate id, which another program may have
  /// stored.
  func separate() {
    if todos.positionsWithoutOwnID.isEmpty { return }
    $todos.withLock { todos in
      let positions = todos.positionsWithoutOwnID
      var id = ids.free(in: todos, count: positions.count)
      for position in positions {
        todos[position].id = id
        id += 1
      }
    }
  }
}
