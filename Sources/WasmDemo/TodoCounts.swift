import SharingPage

/// The number of todos, and the number left to do.
struct TodoCounts: Equatable {
  var all = 0
  var left = 0

  init(of todos: [Todo]) {
    all = todos.count
    for todo in todos where !todo.completed { left += 1 }
  }

  var completed: Int { all - left }
}
