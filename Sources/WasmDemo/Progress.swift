import SharingPage

/// How far one has come. It knows nothing of the list: it names the same key, and so has the same
/// todos.
struct Progress {
  @Shared(.localStorage("todos-sharing")) private var todos: [Todo] = []
  @SharedReader private var counts: TodoCounts

  init() {
    _counts = _todos.read { TodoCounts(of: $0) }
  }

  /// Shows it, now and whenever it changes.
  func start(on page: Page) {
    page.observe {
      let counts = counts
      page.set("progress", counts.all == 0 ? "" : "\(counts.completed) of \(counts.all) done")
      if page.isTerminal { return }  // a terminal says it once
      page.set("badge", counts.left == 0 ? "All done" : "\(counts.left) to do")
      page.set("ring", "\(100 * counts.completed / max(1, counts.all)) 100")
    }
  }
}
