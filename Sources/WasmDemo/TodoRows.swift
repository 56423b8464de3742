import SharingPage

/// The rows of the list, on a page or printed. A change of one todo among thousands updates one
/// row. The whole list is sent only if the whole list has changed, or if a filtered row has to
/// appear between others.
final class TodoRows {
  private let page: Page
  /// The ids of all todos of the list, in its order, whether the filter shows them or not.
  private var known: [Int64] = []
  private var filter = TodoFilter.all
  /// False until the list is shown for the first time.
  private var knowsTodos = false

  init(on page: Page) {
    self.page = page
  }

  /// Whether a change may contain new ids: another program may have replaced any todo by another.
  func mayHaveNewIDs(_ todos: [Todo], _ changes: ElementChanges) -> Bool {
    switch changes {
    case .anything: true
    case .removed: false
    case .changed(let positions):
      positions.contains { $0 >= known.count || known[$0] != todos[$0].id }
    }
  }

  /// Updates the rows of a change.
  func update(to todos: [Todo], _ changes: ElementChanges) {
    knowsTodos = true
    switch changes {
    case .changed(let positions): update(positions, to: todos)
    case .removed(let position): remove(known.remove(at: position))
    case .anything: replace(by: todos)
    }
  }

  /// Shows the todos that a filter accepts.
  func show(_ filter: TodoFilter, of todos: [Todo]) {
    self.filter = filter
    if knowsTodos { replace(by: todos) }
  }
}

extension TodoRows {
  private func update(_ positions: [Int], to todos: [Todo]) {
    for position in positions {
      let todo = todos[position]
      let isNew = position == known.count
      // Another program may have replaced the todo by another.
      if !isNew, known[position] != todo.id { return replace(by: todos) }
      if isNew { known.append(todo.id) }
      if !filter.accepts(todo) {
        remove(todo.id)
      } else if isNew || filter == .all {
        show(todo)
      } else {
        return replace(by: todos)
      }
    }
  }

  private func replace(by todos: [Todo]) {
    if page.isTerminal {
      printReplacement(by: todos)
    } else {
      page.set("todos", todos.filter { filter.accepts($0) })
    }
    known = todos.map { $0.id }
  }

  /// Prints the removed todos and those after the kept ones; prints all todos if none was removed.
  private func printReplacement(by todos: [Todo]) {
    var kept = 0
    for id in known {
      if kept < todos.count, todos[kept].id == id { kept += 1 } else { remove(id) }
    }
    for position in (kept == known.count ? 0 : kept)..<todos.count { show(todos[position]) }
  }

  private func show(_ todo: Todo) {
    if page.isTerminal { page.set("todos", todo.line) } else { page.set("todos", todo) }
  }

  private func remove(_ id: Int64) {
    if page.isTerminal { page.set("todos", "\(id) removed") } else { page.remove("todos", row: id) }
  }
}

extension Todo {
  /// The printed line of a todo. Control characters become spaces: they could move the cursor.
  fileprivate var line: UTF8Text {
    let mark: UTF8Text = completed ? "x" : " "
    let space = UInt8(ascii: " ")
    let title = UTF8Text(title.bytes.map { $0 < space || $0 == 0x7F ? space : $0 })
    return "\(id) [\(mark)] \(title)"
  }
}
