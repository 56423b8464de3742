import SharingCore
import WasiStorage

/// The rows of the list, on a page or printed. It is told which todos have changed, so that one among
/// thousands touches one row; a whole list is sent only where a whole list has changed, or where a
/// filter lets a row come back between others.
///
/// A page leaves the row alone in which somebody types, whatever it is told meanwhile.
final class TodoRows {
  private let page: Page
  /// All todos of the list, in its order, whether the filter shows them or not; without their titles. An
  /// array of ids alone would be 100 bytes (gzip) more of code.
  private var known: [Todo] = []
  private var filter = TodoFilter.all
  /// False until the list has come for the first time.
  private var knowsTodos = false
  /// The todo whose title somebody is typing, as it was when that began.
  private(set) var edited: Todo?

  init(on page: Page) {
    self.page = page
  }

  /// Brings up to date what has changed.
  func update(to todos: [Todo], _ changes: ElementChanges) {
    knowsTodos = true
    switch changes {
    case .changed(let positions): update(positions, to: todos)
    case .removed(let position): remove(known.remove(at: position).id)
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
    page.bind("todos", "{\"id\":\(todo.id),\"editing\":true}")
  }

  /// Shows the row as the others again, as its todo is now.
  func endEditing(of todos: [Todo], thenFocus: Bool) {
    guard let id = edited?.id else { return }
    edited = nil
    let focus: StaticString = thenFocus ? "true" : "false"
    page.bind("todos", "{\"id\":\(id),\"editing\":false,\"done\":\(focus)}")
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
      if isNew { known.append(Todo(id: todo.id)) }
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
    if page == .terminal {
      printReplacement(by: todos)
    } else {
      var text = EncodedJSON()
      try? text.update(to: todos.filter { filter.accepts($0) })
      page.bind("todos", UTF8Text(text.bytes))
    }
    known = []
    for todo in todos { known.append(Todo(id: todo.id)) }
  }

  /// Says which todos are gone and which are behind them, or prints all when none is gone.
  private func printReplacement(by todos: [Todo]) {
    var kept = 0
    for todo in known {
      if kept < todos.count, todos[kept].id == todo.id { kept += 1 } else { remove(todo.id) }
    }
    for position in (kept == known.count ? 0 : kept)..<todos.count { show(todos[position]) }
  }

  private func show(_ todo: Todo) {
    page.set("todos", page == .terminal ? todo.line : todo.json)
  }

  private func remove(_ id: Int64) {
    page.set("todos", page == .terminal ? "\(id) removed" : "{\"id\":\(id),\"gone\":true}")
  }
}

extension Todo {
  fileprivate var json: UTF8Text {
    var writer = JSONWriter()
    try? encode(into: &writer)
    return UTF8Text(writer.bytes)
  }

  /// What a terminal shows instead of a row. Nothing in a title may move its cursor.
  fileprivate var line: UTF8Text {
    let mark: StaticString = completed ? "x" : " "
    return "\(id) [\(mark)] \(UTF8Text(title.bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }))"
  }
}
