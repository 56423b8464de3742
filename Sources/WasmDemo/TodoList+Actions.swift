import SharingPage

// The actions of the list: a button, a key or a word on the command line calls each by its name.
extension TodoList {
  /// Adds the actions that change the list.
  func addActions() {
    page.on("add", "TITLE") { [self] title in add(title.trimmed) }
    on("toggle") { todo, _ in todo.completed.withLock { $0.toggle() } }
    on("edit", "TITLE") { [todos] todo, title in todos.rename(todo, title.trimmed) }
    on("remove") { [todos] todo, _ in todos.$todos.remove(id: todo.id) }
    page.on("toggle-all") { [todos] in todos.toggleAll() }
    page.on("clear-completed") { [todos] in todos.clearCompleted() }
    if Page.isInBrowser { addEditingActions() }
  }

  /// Adds the actions that need a page: those that edit a title in its row.
  private func addEditingActions() {
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
}
