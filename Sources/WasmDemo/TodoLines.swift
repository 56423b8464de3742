import SharingPage

/// The todos as lines of a terminal: at first all, then the changed ones.
final class TodoLines {
  private let page: Page
  private var ids: [Int64] = []

  init(on page: Page) {
    self.page = page
  }

  /// Prints changed and new todos, and the ids of removed ones.
  func update(to todos: [Todo], _ changes: ElementChanges) {
    switch changes {
    case .changed(let positions): for position in positions { print(todos[position]) }
    case .removed(let position): printRemoved(ids[position])
    case .anything: replace(by: todos)
    }
    ids = todos.map { $0.id }
  }

  /// Prints the removed todos and those after the kept ones; all todos if none was removed.
  private func replace(by todos: [Todo]) {
    var kept = 0
    for id in ids {
      if kept < todos.count, todos[kept].id == id { kept += 1 } else { printRemoved(id) }
    }
    for todo in todos[(kept == ids.count ? 0 : kept)...] { print(todo) }
  }

  private func print(_ todo: Todo) { page.set("todos", todo.line) }

  private func printRemoved(_ id: Int64) { page.set("todos", "\(id) removed") }
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
