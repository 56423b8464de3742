import SharingCore
import WasiStorage

/// A list of things to do. Each of them is a part of it: to toggle one changes nothing of the others,
/// and wakes nobody who shows them.
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

  /// Takes the title that somebody has typed for a todo. One that was removed meanwhile comes back as
  /// another todo: what a person has typed is not lost, and nobody else's todo is changed.
  func finishEditing(_ opened: Todo, _ title: UTF8Text) {
    // The field shows one line.
    let shown = opened.title.bytes.filter { $0 != 0x0A && $0 != 0x0D }
    guard title != trimmed(shown) else { return }
    if let todo = $todos[id: opened.id] { rename(todo, title) }
    // To change it has looked at the store: it may have been removed unheard.
    if !title.isEmpty, $todos[id: opened.id] == nil { add(title) }
  }

  /// Completes all, or none if all are, by what a person sees.
  func toggleAll() {
    let isAnyLeft = todos.contains { !$0.completed }
    batch {
      // The first change looks at the store: what has come unheard is changed in the second round.
      for _ in 1...2 {
        for todo in todos where todo.completed != isAnyLeft {
          $todos[id: todo.id]?.completed.withLock { $0 = isAnyLeft }
        }
      }
    }
  }

  func clearCompleted() {
    $todos.withLock { $0 = $0.filter { !$0.completed } }
  }

  /// Gives an id of its own to each todo that has none: another program may have stored two todos with
  /// one id.
  /// - Returns: Whether there were some.
  @discardableResult
  func separate() -> Bool {
    if todos.positionsWithoutOwnID.isEmpty { return false }
    $todos.withLock { todos in
      var id = ids.free(in: todos)
      for position in todos.positionsWithoutOwnID {
        todos[position].id = id
        id += 1
      }
    }
    return true
  }
}
