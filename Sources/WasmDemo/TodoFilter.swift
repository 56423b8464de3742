import SharingPage

/// Which todos a visitor wants to see: what stands behind `#` in the page's address.
enum TodoFilter {
  case all, active, completed

  /// An address that nobody knows shows everything.
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
