import SharingPage

/// The progress of the todos. It does not refer to the list: it has the same todos because it uses
/// the same key.
struct Progress {
  @Shared(.localStorage("todos-sharing")) private var todos: [Todo] = []
  @SharedReader private var counts: TodoCounts

  init() {
    _counts = _todos.read { TodoCounts(of: $0) }
  }

  /// Shows the progress, now and whenever it changes.
  func start(on page: Page) {
    page.observe {
      let counts = counts
      page.set("progress", counts.all == 0 ? "" : "\(counts.completed) of \(counts.all) done")
      if page.isTerminal { return }  // a terminal prints it once
      page.set("badge", counts.left == 0 ? "All done" : "\(counts.left) to do")
      page.set("ring", "\(100 * counts.completed / max(1, counts.all)) 100")
    }
  }
}
