import SharingPage

/// The list of todos. Each todo is a part of it: toggling one changes no other todo, and runs no
/// observer of another one.
struct Todos {
  @Shared(.localStorage("todos-sharing")) var todos: [Todo] = []

  func add(_ title: UTF8Text) {
    $todos.append(Todo(title: title))
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
}
