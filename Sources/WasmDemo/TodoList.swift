import SharingPage

/// The visible list of todos: its rows, the filter, and the number left to do.
final class TodoList {
  let todos = Todos()
  let page: Page
  @Shared(.locationHash) private var route: UTF8Text = "/"
  @SharedReader private var counts: TodoCounts
  /// The last shown number left to do, so that a terminal prints no number twice.
  private var saidLeft: Int?

  init(on page: Page) {
    self.page = page
    _counts = todos.$todos.read { TodoCounts(of: $0) }
  }

  /// Shows the list and adds the actions that change it.
  func start() {
    if page.isTerminal {
      let lines = TodoLines(on: page)
      page.keep(todos.$todos.observeElements { lines.update(to: $0, $1) })
    } else {
      page.bind(
        "todos", rows: SharedReader(todos.$todos), where: { [self] in filter.accepts($0) })
    }
    page.observe { [self] in show(filter) }
    page.observe { [self] in show(counts) }
    page.bindErrors(of: todos.$todos)
    addActions()
  }

  private var filter: TodoFilter { TodoFilter(route: route) }

  private func show(_ filter: TodoFilter) {
    page.set("all", filter == .all)
    page.set("active", filter == .active)
    page.set("completed", filter == .completed)
  }

  /// Shows the number left to do, and the conditions that depend on the counts.
  private func show(_ counts: TodoCounts) {
    let left = counts.all == 0 ? nil : counts.left
    if left != saidLeft { page.set("left", left.map { "\($0)" } ?? "") }
    saidLeft = left
    if !page.isTerminal { page.set("items", left == 1 ? "item" : "items") }
    page.set("no-todos", counts.all == 0)
    page.set("no-completed", counts.completed == 0)
    page.set("all-completed", counts.left == 0)
  }
}
