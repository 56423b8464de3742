import SharingCore
import WasiStorage

/// The list of todos as a person sees it: its rows, which of them, and what is left to do.
final class TodoList {
  private let todos = Todos()
  private let rows: TodoRows
  private let page: Page
  @Shared(.locationHash) private var route: UTF8Text = "/"
  @SharedReader private var totals: Totals
  /// What a terminal has said last of what is left to do: it says nothing twice.
  private var saidLeft: Int?

  init(on page: Page) {
    self.page = page
    rows = TodoRows(on: page)
    _totals = todos.$todos.read { Totals(of: $0) }
  }

  /// What is known of loading and saving the list, and of the route.
  var status: KeyStatus { KeyStatus(todos.$todos) }
  var routeStatus: KeyStatus { KeyStatus($route) }

  /// Shows it, now and whenever it changes.
  func show() -> [ObservationToken] {
    [
      $route.publisher.sink { [self] in show(TodoFilter(route: $0)) },
      todos.$todos.observeElements { [rows] in rows.update(to: $0, $1) },
      observe { [self] in show(totals) },
    ]
  }

  /// What a person can do, in a page or on a command line.
  var actions: [Action] {
    [
      Action("add", 1, "TITLE") { [self] words in add(trimmed(words[0])) },
      one("toggle") { todo, _ in todo.completed.withLock { $0.toggle() } },
      one("edit", 2, "ID TITLE") { [todos] todo, words in todos.rename(todo, trimmed(words[1])) },
      one("remove") { [todos] todo, _ in todos.$todos.remove(id: todo.id) },
      Action("toggle-all") { [todos] in todos.toggleAll() },
      Action("clear-completed") { [todos] in todos.clearCompleted() },
    ]
  }

  /// What can be done in a page only: to type in a row.
  var pageActions: [Action] {
    [
      one("begin") { [rows] todo, _ in rows.edit(todo.wrappedValue) },
      Action("save", 2, "ID TITLE") { [self] words in save(words, thenFocus: true) },
      Action("leave", 2, "ID TITLE") { [self] words in save(words, thenFocus: false) },
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
  private func save(_ words: [[UInt8]], thenFocus: Bool) -> UTF8Text? {
    guard let edited = rows.edited, words.count == 2 else { return nil }
    todos.rename(edited.id, trimmed(words[1]))
    endEditing(thenFocus: thenFocus)
    return nil
  }

  private func endEditing(thenFocus: Bool) {
    rows.endEditing(of: todos.todos, thenFocus: thenFocus)
    show(totals)
  }

  /// An action for one todo, whose id is the first word.
  private func one(
    _ name: StaticString, _ wordCount: Int = 1, _ wordNames: StaticString = "ID",
    _ run: @escaping (Shared<Todo>, [[UInt8]]) -> Void
  ) -> Action {
    Action(name, wordCount, wordNames) { [todos] words in
      guard let id = number(words[0]), let todo = todos.$todos[id: id] else {
        return "There is no todo \"\(UTF8Text(words[0]))\"."
      }
      run(todo, words)
      return nil
    }
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
private func number(_ text: [UInt8]) -> Int? {
  var reader = JSONReader(text)
  guard let number = try? Int.decode(from: &reader), UTF8Text("\(number)").bytes == text else {
    return nil
  }
  return number
}
