import SharingPage

/// The todos as lines of a terminal: at first all, then the changed ones. Each has the shortest end
/// of its id that no other todo has.
final class TodoLines {
  private let page: Page
  private var todos: [Todo] = []

  init(on page: Page) {
    self.page = page
  }

  /// Prints changed and new todos, and the ids of removed ones.
  func update(to new: [Todo], _ changes: ElementChanges) {
    let old = todos
    todos = new
    switch changes {
    case .changed(let positions): for position in positions { print(new[position]) }
    case .removed(let position): printRemoved(old[position])
    case .anything: replace(old)
    }
  }

  /// Prints the removed todos and those after the kept ones; all todos if none was removed.
  private func replace(_ old: [Todo]) {
    var kept = 0
    for todo in old {
      if kept < todos.count, todos[kept].id == todo.id { kept += 1 } else { printRemoved(todo) }
    }
    for todo in todos[(kept == old.count ? 0 : kept)...] { print(todo) }
  }

  private func print(_ todo: Todo) { print(todo, todo.line) }

  private func printRemoved(_ todo: Todo) { print(todo, "removed") }

  private func print(_ todo: Todo, _ text: UTF8Text) {
    page.set("todos", "\(todos.shortestEnding(of: todo.id)) \(text)")
  }
}

extension Todo {
  /// The todo without its id. Control characters become spaces: they could move the cursor.
  fileprivate var line: UTF8Text {
    let mark: UTF8Text = completed ? "x" : " "
    let space = UInt8(ascii: " ")
    let title = UTF8Text(title.bytes.map { $0 < space || $0 == 0x7F ? space : $0 })
    return "[\(mark)] \(title)"
  }
}
