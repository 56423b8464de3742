import SharingPage

// The actions of the list: a button, a key or a word on the command line calls each by its name.
extension TodoList {
  /// Adds the actions that change the list.
  func addActions() {
    page.on("add", "TITLE") { [self] title in add(title.trimmed) }
    page.on("toggle", "ID") { [self] in todo($0)?.completed.withLock { $0.toggle() } }
    page.on("edit", "ID", "TITLE") { [self] in
      if let todo = todo($0) { todos.rename(todo, $1.trimmed) }
    }
    // The page sends this for a title that was edited in its row.
    if Page.isInBrowser { page.on("todos", "ID", "TITLE=TEXT") { [self] in finishEditing($0, $1) } }
    page.on("remove", "ID") { [self] in
      if let todo = todo($0) { todos.$todos.remove(id: todo.id) }
    }
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
    guard let id = UniqueID(word), let title = change.dropping("title=")?.trimmed else {
      return page.refuse("This is no title of a todo.")
    }
    if let todo = todos.$todos[id: id] { todos.rename(todo, title) }
    // The change has read the store, which may show that another tab has removed the todo.
    if !title.isEmpty, todos.$todos[id: id] == nil { todos.add(title) }
  }

  /// Finds a todo by the end of its id, or refuses the action.
  private func todo(_ word: UTF8Text) -> Shared<Todo>? {
    do throws(UniqueID.LookupError) {
      return todos.$todos[id: try todos.todos.id(endingWith: word)]
    } catch {
      page.refuse(error.message(about: word))
      return nil
    }
  }
}
