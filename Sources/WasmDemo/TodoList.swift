import SharingCore
import WasiStorage

/// The list of todos as a person sees it: its rows, which of them, and what is left to do.
final class TodoList {
  private let todos: Todos
  private let rows: TodoRows
  private let page: Page
  @Shared(.locationHash) private var route: UTF8Text = "/"
  @SharedReader private var totals: Totals
  /// What a terminal has said last of what is left to do: it says nothing twice.
  private var saidLeft: Int?
  private var tokens: [ObservationToken] = []

  init(on page: Page) {
    self.page = page
    todos = Todos(page == .browser ? .random : .consecutive)
    rows = TodoRows(on: page)
    _totals = todos.$todos.read { Totals(of: $0) }
    todos.separate()
  }

  /// What is known of loading and saving the list, and of the route.
  var status: KeyStatus { KeyStatus(todos.$todos) }
  var routeStatus: KeyStatus { KeyStatus($route) }

  /// Shows it, now and whenever it changes.
  func show() {
    tokens = [
      $route.publisher.sink { [self] in show(TodoFilter(route: $0)) },
      todos.$todos.observeElements { [self] in update(to: $0, $1) },
      observe { [self] in show(totals) },
    ]
  }

  /// What a person can do, in a page or on a command line.
  var actions: [Action] {
    [
      Action("add TITLE") { [self] title, _ in add(trimmed(title)) },
      one("toggle ID") { todo, _ in todo.completed.withLock { $0.toggle() } },
      one("edit ID TITLE") { [todos] todo, title in todos.rename(todo, trimmed(title)) },
      one("remove ID") { [todos] todo, _ in todos.$todos.remove(id: todo.id) },
      Action("toggle-all") { [todos] in todos.toggleAll() },
      Action("clear-completed") { [todos] in todos.clearCompleted() },
    ]
  }

  /// What can be done in a page only: to type in a row.
  var pageActions: [Action] {
    [
      one("begin ID") { [rows] todo, _ in rows.edit(todo.wrappedValue) },
      Action("save ID TITLE") { [self] in save($0, $1, thenFocus: true) },
      Action("leave ID TITLE") { [self] in save($0, $1, thenFocus: false) },
      Action("cancel") { [self] in endEditing(thenFocus: true) },
    ]
  }

  private func add(_ title: UTF8Text) -> UTF8Text? {
    if title.isEmpty { return "A todo needs a title." }
    todos.add(title)
    page.bind("new-todo", "")
    return nil
  }

  /// Takes what was typed, unless that is over: a field that is taken away tells that it was left.
  private func save(_ id: [UInt8], _ title: [UInt8], thenFocus: Bool) -> UTF8Text? {
    guard let opened = rows.edited, number(id) == opened.id else { return nil }
    todos.finishEditing(opened, trimmed(title))
    endEditing(thenFocus: thenFocus)
    return nil
  }

  private func endEditing(thenFocus: Bool) {
    rows.endEditing(of: todos.todos, thenFocus: thenFocus)
    show(totals)
  }

  /// An action for one todo, whose id is the first word.
  private func one(
    _ usage: StaticString, _ run: @escaping (_ todo: Shared<Todo>, _ title: [UInt8]) -> Void
  ) -> Action {
    Action(usage) { [todos] word, title in
      guard let id = number(word), let todo = todos.$todos[id: id] else {
        return "There is no todo \"\(UTF8Text(word))\"."
      }
      run(todo, title)
      return nil
    }
  }

  /// Two todos of one id are seen once they are told apart, in this very turn.
  private func update(to list: [Todo], _ changes: ElementChanges) {
    if changes == .anything, todos.separate() { return }
    rows.update(to: list, changes)
  }

  private func show(_ filter: TodoFilter) {
    page.mark("all", filter == .all)
    page.mark("active", filter == .active)
    page.mark("completed", filter == .completed)
    rows.show(filter, of: todos.todos)
  }

  private func show(_ totals: Totals) {
    let left = totals.count == 0 ? nil : totals.left
    if left != saidLeft { page.set("left", left.map { "\($0)" } ?? "") }
    saidLeft = left
    page.bind("items", left == 1 ? "item" : "items")
    // A list that others have emptied still has the row in which somebody types.
    page.mark("no-todos", totals.count == 0 && rows.edited == nil)
    page.mark("no-completed", totals.completed == 0)
    page.mark("all-completed", totals.left == 0)
  }
}

/// The whole number that a text is, and nothing else.
private func number(_ text: [UInt8]) -> Int64? {
  var reader = JSONReader(text)
  guard let number = try? Int64.decode(from: &reader), ("\(number)" as UTF8Text).bytes == text
  else {
    return nil
  }
  return number
}
