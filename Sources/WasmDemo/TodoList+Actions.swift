import SharingPage

// The actions of the list: a button, a key or a word on the command line calls each by its name.
extension TodoList {
  /// Adds the actions that change the list.
  func addActions() {
    page.on("add", "TITLE") { [self] title in add(title.trimmed) }
    on("toggle") { todo, _ in todo.completed.withLock { $0.toggle() } }
    on("edit", "TITLE") { [todos] todo, title in todos.rename(todo, title.trimmed) }
    // The page sends this for a title that was edited in its row.
    if Page.isInBrowser { page.on("todos", "ID", "TITLE=TEXT") { [self] in finishEditing($0, $1) } }
    on("remove") { [todos] todo, _ in todos.$todos.remove(id: todo.id) }
    page.on("toggle-all") { [todos] in todos.toggleAll() }
    page.on("clear-completed") { [todos] in todos.clearCompleted() }
  }

  private func add(_ title: UTF8Text) {
    if title.isEmpty { return page.refuse("A todo needs a title.") }
    todos.add(title)
  }

  /// Saves the title of a todo. If the todo was removed meanwhile, adds a todo with the title and a
  /// new id, so that the typed text is not lost and no other todo changes.
  private func finishEditing(_ word: UTF8Text, _ change: UTF8Text) {
    guard let id = Int64(word), let title = change.dropping("title=")?.trimmed else {
      return page.refuse("\"\(change)\" is no title of a todo.")
    }
    if let todo = todos.$todos[id: id] { todos.rename(todo, title) }
    // The change has read the store, which may show that another tab has removed the todo.
    if !title.isEmpty, todos.$todos[id: id] == nil { todos.add(title) }
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
}
