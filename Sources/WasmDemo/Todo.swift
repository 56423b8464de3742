import SharingPage

/// One todo. Its stored form is `{"id":"01K9W2V3…","title":"Buy milk","completed":false}`.
///
/// The title is not a `String`, because the code of `String` would be a tenth of the whole page.
@Stored struct Todo: Identifiable {
  var id = UniqueID()
  var title: UTF8Text = ""
  var completed = false
}

/// The choice of visible todos: the text behind `#` in the page's address.
enum TodoFilter {
  case all, active, completed

  /// An unknown address shows all.
  init(route: UTF8Text) {
    self = route == "/active" ? .active : route == "/completed" ? .completed : .all
  }

  func accepts(_ todo: Todo) -> Bool {
    switch self {
    case .all: true
    case .active: !todo.completed
    case .completed: todo.completed
    }
  }
}

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
