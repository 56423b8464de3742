import SharingPage

/// The rows of the list, on a page or printed. It is told which todos have changed, so that one
/// among thousands touches one row; a whole list is sent only where a whole list has changed, or
/// where a filter lets a row come back between others.
///
/// A page leaves the row alone in which somebody types, whatever it is told meanwhile.
final class TodoRows {
  private let page: Page
  /// The ids of all todos of the list, in its order, whether the filter shows them or not.
  private var known: [Int64] = []
  private var filter = TodoFilter.all
  /// False until the list has come for the first time.
  private var knowsTodos = false
  /// The todo whose title somebody is typing, as it was when that began.
  private(set) var edited: Todo?

  init(on page: Page) {
    self.page = page
  }

  /// Whether a change may have brought ids that were not there before: another program may have put
  /// any todo in the place of one.
  func mayHaveNewIDs(_ todos: [Todo], _ changes: ElementChanges) -> Bool {
    switch changes {
    case .anything: true
    case .removed: false
    case .changed(let positions):
      positions.contains { $0 >= known.count || known[$0] != todos[$0].id }
    }
  }

  /// Brings up to date what has changed.
  func update(to todos: [Todo], _ changes: ElementChanges) {
    knowsTodos = true
    switch changes {
    case .changed(let positions): update(positions, to: todos)
    case .removed(let position): remove(known.remove(at: position))
    case .anything: replace(by: todos)
    }
  }

  /// Shows what a filter accepts.
  func show(_ filter: TodoFilter, of todos: [Todo]) {
    self.filter = filter
    if knowsTodos { replace(by: todos) }
  }

  /// Lets a person type in a row.
  func edit(_ todo: Todo) {
    edited = todo
    show(todo)  // a browser may have emptied the field, as WebKit does when somebody comes back
    page.set("todos", TodoEditing(id: todo.id, editing: true))
  }

  /// Shows the row as the others again, as its todo is now.
  func endEditing(of todos: [Todo], thenFocus: Bool) {
    guard let id = edited?.id else { return }
    edited = nil
    page.set("todos", TodoEditing(id: id, editing: false, done: thenFocus))
    if let todo = todos.first(where: { $0.id == id }), filter.accepts(todo) {
      show(todo)
    } else {
      remove(id)
    }
  }
}

extension TodoRows {
  private func update(_ positions: [Int], to todos: [Todo]) {
    for position in positions {
      let todo = todos[position]
      let isNew = position == known.count
      // Another program may have put another todo in the place of one.
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

  /// Says which todos are gone and which are behind them, or prints all when none is gone.
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

/// What a row shows beside its todo: whether somebody types its title, and whether that has just
/// ended in a way after which the row has the keyboard again.
@Stored private struct TodoEditing {
  var id: Int64 = 0
  var editing = false
  var done = false
}

extension Todo {
  /// What a terminal shows instead of a row. Nothing in a title may move its cursor.
  fileprivate var line: UTF8Text {
    let mark: UTF8Text = completed ? "x" : " "
    let space = UInt8(ascii: " ")
    let title = UTF8Text(title.bytes.map { $0 < space || $0 == 0x7F ? space : $0 })
    return "\(id) [\(mark)] \(title)"
  }
}
