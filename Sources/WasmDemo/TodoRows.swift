import SharingCore
import WasiStorage

/// The rows of the list on the page. It is told which todos have changed, so that one among thousands
/// touches one row; a whole list is sent only where a whole list has changed.
final class TodoRows {
  private let page: Page
  /// All todos of the list, in its order, and those of them that the filter hides.
  private var ids: [Int] = []
  private var hidden: [Int] = []
  private var filter = TodoFilter.all
  /// False until the list has come for the first time.
  private var knowsTodos = false
  /// The todo whose title somebody is typing: its row stays as it was, whatever happens meanwhile.
  private(set) var edited: Todo?
  /// The todos before that one: behind them is its place, should it be gone.
  private var precedingEdited: [Int] = []

  init(on page: Page) {
    self.page = page
  }

  /// Brings up to date what has changed.
  func update(to todos: [Todo], _ changes: ElementChanges) {
    knowsTodos = true
    switch changes {
    case .changed(let positions): if !update(positions, to: todos) { replace(by: todos) }
    case .removed(let position): remove(ids.remove(at: position))
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
    precedingEdited = Array(ids.prefix { $0 != todo.id })
    page.bind("todos", "{\"id\":\(todo.id),\"editing\":true}")
  }

  /// Shows the row as the others again, as its todo is now.
  func endEditing(of todos: [Todo], thenFocus: Bool) {
    guard let id = edited?.id else { return }
    edited = nil
    let focus: StaticString = thenFocus ? "true" : "false"
    page.bind("todos", "{\"id\":\(id),\"editing\":false,\"done\":\(focus)}")
    // Positions may have changed in this turn, and the news of that come later.
    if let todo = todos.first(where: { $0.id == id }), ids.contains(id) {
      if filter.accepts(todo) { show(todo) } else { hide(id) }
    } else {
      remove(id)
    }
  }
}

extension TodoRows {
  /// - Returns: False where a row comes between others: where, nobody has told.
  private func update(_ positions: [Int], to todos: [Todo]) -> Bool {
    for position in positions {
      let todo = todos[position]
      let isNew = position == ids.count
      if isNew { ids.append(todo.id) }
      if !isShown(todo) {
        hide(todo.id)
      } else if !isNew, let index = hidden.firstIndex(of: todo.id) {
        hidden.remove(at: index)
        return false
      } else {
        show(todo)
      }
    }
    return true
  }

  private func isShown(_ todo: Todo) -> Bool { filter.accepts(todo) || todo.id == edited?.id }

  private func show(_ todo: Todo) {
    if todo.id == edited?.id { return }
    page.set("todos", json: { Self.json([todo]).dropFirst().dropLast() }, line: { todo.line })
  }

  private func hide(_ id: Int) {
    guard !hidden.contains(id) else { return }
    remove(id)
    hidden.append(id)
  }

  private func remove(_ id: Int) {
    if let index = hidden.firstIndex(of: id) { hidden.remove(at: index) }
    if id == edited?.id { return }
    let gone: UTF8Text = "{\"id\":\(id),\"gone\":true}"
    page.set("todos", json: { gone.bytes[...] }, line: { "\(id) removed" })
  }

  private func replace(by todos: [Todo]) {
    if page == .terminal { return printReplacement(by: todos) }
    var shown = todos.filter { isShown($0) }
    if let edited {
      if let place = shown.firstIndex(where: { $0.id == edited.id }) {
        shown[place] = edited
      } else {
        let before = shown.lastIndex { precedingEdited.contains($0.id) }
        shown.insert(edited, at: before.map { $0 + 1 } ?? 0)
      }
    }
    ids = todos.map { $0.id }
    hidden = shown.count == todos.count ? [] : todos.compactMap { isShown($0) ? nil : $0.id }
    page.bind("todos", UTF8Text(Self.json(shown)))
  }

  private static func json(_ todos: [Todo]) -> [UInt8] {
    var text = EncodedJSON()
    try? text.update(to: todos)
    return text.bytes
  }

  /// Says of a list that has become shorter which todos are gone; prints any other.
  private func printReplacement(by todos: [Todo]) {
    let before = ids
    ids = todos.map { $0.id }
    var kept = 0
    for id in before {
      if kept < ids.count, ids[kept] == id { kept += 1 } else { remove(id) }
    }
    for todo in todos[(before.count == kept && kept == ids.count ? 0 : kept)...] { show(todo) }
  }
}

extension Todo {
  /// What a terminal shows instead of a row. Nothing in a title may move its cursor.
  fileprivate var line: UTF8Text {
    let mark: StaticString = completed ? "x" : " "
    return "\(id) [\(mark)] \(UTF8Text(title.bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }))"
  }
}
