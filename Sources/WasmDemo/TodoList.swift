import SharingPage

/// The visible list of todos: its rows, the filter, and the number left to do.
final class TodoList {
  let todos: Todos
  let rows: TodoRows
  let page: Page
  @Shared(.locationHash) private var route: UTF8Text = "/"
  @SharedReader var counts: TodoCounts
  /// The last shown number left to do, so that a terminal prints no number twice.
  private var saidLeft: Int?

  init(on page: Page) {
    self.page = page
    todos = Todos(Page.isInBrowser ? .random : .consecutive)
    rows = TodoRows(on: page)
    _counts = todos.$todos.read { TodoCounts(of: $0) }
    todos.separate()
  }

  /// Shows the list and adds the actions that change it.
  func start() {
    page.keep($route.publisher.sink { [self] in show(TodoFilter(route: $0)) })
    page.keep(todos.$todos.observeElements { [self] in update(to: $0, $1) })
    page.observe { [self] in show(counts) }
    page.bindErrors(of: todos.$todos)
    addActions()
  }

  /// If two todos have one id, first separates them; the list is then shown later in this turn.
  private func update(to list: [Todo], _ changes: ElementChanges) {
    if rows.mayHaveNewIDs(list, changes), todos.separate() { return }
    rows.update(to: list, changes)
  }

  private func show(_ filter: TodoFilter) {
    page.set("all", filter == .all)
    page.set("active", filter == .active)
    page.set("completed", filter == .completed)
    rows.show(filter, of: todos.todos)
  }

  /// Shows the number left to do, and the conditions that depend on the counts.
  func show(_ counts: TodoCounts) {
    let left = counts.all == 0 ? nil : counts.left
    if left != saidLeft { page.set("left", left.map { "\($0)" } ?? "") }
    saidLeft = left
    if !page.isTerminal { page.set("items", left == 1 ? "item" : "items") }
    page.set("no-todos", counts.all == 0)
    page.set("no-completed", counts.completed == 0)
    page.set("all-completed", counts.left == 0)
  }
}
