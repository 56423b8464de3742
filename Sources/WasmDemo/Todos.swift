import SharingPage

/// A list of things to do. Each todo is a part of it: toggling one changes no other todo, and runs
/// no observer of another one.
struct Todos {
  @Shared(.localStorage("todos-sharing")) var todos: [Todo] = []
  private let ids: TodoIDs

  init(_ ids: TodoIDs) {
    self.ids = ids
  }

  func add(_ title: UTF8Text) {
    $todos.append { Todo(id: ids.free(in: $0), title: title) }
  }

  /// A todo without a title is not wanted any more.
  func rename(_ todo: Shared<Todo>, _ title: UTF8Text) {
    if title.isEmpty { $todos.remove(id: todo.id) } else { todo.title.withLock { $0 = title } }
  }

  /// Takes the title that somebody has typed for a todo. A todo that was removed meanwhile comes
  /// back under a new id: the typed text is not lost, and no other todo is changed.
  func finishEditing(_ opened: Todo, _ title: UTF8Text) {
    // The field shows one line.
    let shown = opened.title.bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard title != UTF8Text(shown).trimmed else { return }
    if let todo = $todos[id: opened.id] { rename(todo, title) }
    // To change it has looked at the store: it may have been removed unheard.
    if !title.isEmpty, $todos[id: opened.id] == nil { add(title) }
  }

  /// Completes all, or none if all are, by what a person sees; what has come unheard becomes the
  /// same.
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

  /// Gives a new id to each todo whose id is missing or taken: another program may have stored two
  /// todos with one id.
  /// - Returns: Whether there were some.
  @discardableResult
  func separate() -> Bool {
    if todos.positionsWithoutOwnID.isEmpty { return false }
    $todos.withLock { todos in
      let positions = todos.positionsWithoutOwnID
      var id = ids.free(in: todos, count: positions.count)
      for position in positions {
        todos[position].id = id
        id += 1
      }
    }
    return true
  }
}
