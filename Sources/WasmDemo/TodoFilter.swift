import SharingPage

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
