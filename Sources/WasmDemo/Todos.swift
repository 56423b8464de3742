import SharingCore
import WasiStorage

/// A list of things to do. Each of them is a part of it: to toggle one changes nothing of the others,
/// and wakes nobody who shows them.
struct Todos {
  @Shared(.localStorage("todos-sharing")) var todos: [Todo] = []

  func add(_ title: UTF8Text) {
    $todos.append { Todo(id: $0.nextID, title: title) }
  }

  /// Renames the todo with an id. One that was removed while somebody has typed comes back: what a
  /// person has typed is not lost.
  func rename(_ id: Int, _ title: UTF8Text) {
    if let todo = $todos[id: id] {
      rename(todo, title)
    } else if !title.isEmpty {
      $todos.append(Todo(id: id, title: title))
    }
  }

  /// A todo without a title is not wanted any more.
  func rename(_ todo: Shared<Todo>, _ title: UTF8Text) {
    if title.isEmpty { $todos.remove(id: todo.id) } else { todo.title.withLock { $0 = title } }
  }

  /// Completes all, or none if all are.
  func toggleAll() {
    let isAnyLeft = todos.contains { !$0.completed }
    batch {
      for todo in todos where todo.completed != isAnyLeft {
        $todos[id: todo.id]?.completed.withLock { $0 = isAnyLeft }
      }
    }
  }

  func clearCompleted() {
    $todos.withLock { $0 = $0.filter { !$0.completed } }
  }
}

extension [Todo] {
  /// One more than the highest id; in a list that somebody has filled to the last one, a free one.
  fileprivate var nextID: Int {
    let highest = reduce(0) { Swift.max($0, $1.id) }
    guard highest == .max else { return highest + 1 }
    return (1...).first { id in !contains { $0.id == id } }!
  }
}
