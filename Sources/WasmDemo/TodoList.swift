import SharingPage

/// The visible list of todos: its rows, the filter, and the number left to do.
final class TodoList {
  private let todos: Todos
  private let rows: TodoRows
  private let page: Page
  @Shared(.locationHash) private var route: UTF8Text = "/"
  @SharedReader private var counts: TodoCounts
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
    page.on("add", "TITLE") { [self] title in add(title.trimmed) }
    on("toggle") { todo, _ in todo.completed.withLock { $0.toggle() } }
    on("edit", "TITLE") { [todos] todo, title in todos.rename(todo, title.trimmed) }
    on("remove") { [todos] todo, _ in todos.$todos.remove(id: todo.id) }
    page.on("toggle-all") { [todos] in todos.toggleAll() }
    page.on("clear-completed") { [todos] in todos.clearCompleted() }
    if Page.isInBrowser { startEditing() }
  }

  /// The actions that need a page: editing a title in its row.
  private func startEditing() {
    // If a title was refused, its row stays the one being edited.
    on("begin") { [rows] todo, _ in rows.edit(rows.edited ?? todo.wrappedValue) }
    page.on("save", "ID", "TITLE") { [self] in save($0, $1, thenFocus: true) }
    page.on("leave", "ID", "TITLE") { [self] in save($0, $1, thenFocus: false) }
    page.on("cancel") { [self] in endEditing(thenFocus: true) }
  }

  private func add(_ title: UTF8Text) {
    if title.isEmpty { return page.refuse("A todo needs a title.") }
    todos.add(title)
    page.set("new-todo", "")
  }

  /// Saves the typed title, unless editing has ended: a removed field also sends "leave".
  private func save(_ id: UTF8Text, _ title: UTF8Text, thenFocus: Bool) {
    guard let opened = rows.edited, Int64(id) == opened.id else { return }
    todos.finishEditing(opened, title.trimmed)
    endEditing(thenFocus: thenFocus)
  }

  private func endEditing(thenFocus: Bool) {
    rows.endEditing(of: todos.todos, thenFocus: thenFocus)
    show(counts)
  }

  /// Runs an action on one todo; its id is the first word.
  private func on(
    _ name: StaticString, _ rest: StaticString? = nil,
    _ run: @escaping (_ todo: Shared<Todo>, _ title: UTF8Text) -> Void
  ) {
    let runOne = { [todos, page] (word: UTF8Text, title: UTF8Text) in
      guard let id = Int64(word), let todo = todos.$todos[id: id] else {
        return page.refuse("There is no todo \"\(word)\".")
      }
      run(todo, title)
    }
    if let rest {
      // A closure literal: in wasm, Swift 6.3.1 cannot convert a non-throwing closure value.
      page.on(name, "ID", rest) { runOne($0, $1) }
    } else {
      page.on(name, "ID") { runOne($0, "") }
    }
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

  private func show(_ counts: TodoCounts) {
    let left = counts.all == 0 ? nil : counts.left
    if left != saidLeft { page.set("left", left.map { "\($0)" } ?? "") }
    saidLeft = left
    if !page.isTerminal { page.set("items", left == 1 ? "item" : "items") }
    // A row may still be edited after other programs have emptied the list.
    page.set("no-todos", counts.all == 0 && rows.edited == nil)
    page.set("no-completed", counts.completed == 0)
    page.set("all-completed", counts.left == 0)
  }
}
