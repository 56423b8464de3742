import SharingCommits
import SharingCore
import SharingPage
import WasiStorage
import Workloads

/// A list in a revision store; `page/merging.js` changes it and checks the shown value.
struct CommittedTodos {
  let count: Int
  @Shared private var todos: [StoredTodo]

  /// Creates the list under, for example, `todos-1000`.
  init(count: Int) {
    self.count = count
    _todos = Shared(wrappedValue: [], .indexedDB("todos-\(count)"))
  }

  /// Shows the number of todos, and whether a change is being saved.
  func show(on page: Page) {
    switch count {
    case 1000: show(on: page, "todos-1000", "todos-1000-saving")
    case 4000: show(on: page, "todos-4000", "todos-4000-saving")
    default: show(on: page, "todos-8000", "todos-8000-saving")
    }
  }

  private func show(on page: Page, _ name: StaticString, _ saving: StaticString) {
    page.bind(name) { "\(todos.count)" }
    page.bind(saving) { $todos.isSaving }
  }

  /// Toggles the todo in the middle.
  func toggle() {
    $todos[id: count / 2]?.withLock { $0.completed.toggle() }
  }
}

nonisolated(unsafe) private var lists: [CommittedTodos] = []

/// Shows a list.
@_expose(wasm, "bench_todos_show")
@c(bench_todos_show)
public func showTodos(_ count: Int32) {
  guard let page = WasmBenchmarks.page else { return }
  lists.append(CommittedTodos(count: Int(count)))
  lists.last?.show(on: page)
}

/// Toggles the todo in the middle of a list.
@_expose(wasm, "bench_todo_toggle")
@c(bench_todo_toggle)
public func toggleTodo(_ count: Int32) {
  lists.first { $0.count == Int(count) }?.toggle()
}
