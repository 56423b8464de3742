/// How many todos there are, and how many of them are left to do.
struct Totals: Equatable {
  var count = 0
  var left = 0

  init(of todos: [Todo]) {
    count = todos.count
    for todo in todos where !todo.completed { left += 1 }
  }

  var completed: Int { count - left }
}
