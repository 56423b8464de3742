import SharingCore
import WasiStorage

/// The demo: what it is made of, what can be done to it, and what is wrong with it.
final class App {
  private let page: Page
  private let inspector: Inspector?
  private let counter: Counter
  private let todos: TodoList
  private let progress = Progress()
  private var tokens: [ObservationToken] = []
  /// What a person can do, by name.
  private(set) var actions: [Action] = []

  init(on page: Page) {
    self.page = page
    // It watches the stores from before the first value is loaded.
    inspector = page == .browser ? Inspector(on: page) : nil
    counter = Counter()
    todos = TodoList(on: page)
    add(counter.actions)
    add(todos.actions)
    if let inspector {
      add(todos.pageActions)
      add(inspector.actions)
    }
    add([Action("show") {}])  // every run shows the state before it does anything
  }

  /// One by one: to join arrays is more code.
  private func add(_ more: [Action]) {
    for action in more { actions.append(action) }
  }

  /// Shows everything, now and whenever it changes.
  func show() {
    let count = counter.show(on: page)
    todos.show()
    tokens = [count, progress.show(on: page), observe { [self] in page.warn(problem) }]
    inspector?.show(counter, todos)
  }

  /// A store in memory with what decides whether an action can be done.
  static func copyOfStored() -> MemoryStore {
    let (copy, todos) = (MemoryStore(), KeyName("todos-sharing"))
    let bytes = try? SharingEnvironment.current.stores.local.bytes(for: todos)
    if let bytes { copy.set(bytes, for: todos) }
    return copy
  }

  /// Whether everything that was changed has been stored.
  var isSaved: Bool { counter.status.saveError == nil && todos.status.saveError == nil }

  /// What a person should know: what could not be saved or read, or that values are not kept.
  private var problem: UTF8Text {
    var problem: UTF8Text = ""
    func add(_ error: AnyError?) {
      guard let error else { return }
      if !problem.isEmpty { problem += " " }
      problem += message(of: error)
    }
    let (count, list) = (counter.status, todos.status)
    add(count.saveError)
    add(count.loadError)
    add(list.saveError)
    add(list.loadError)
    return problem.isEmpty ? SharingEnvironment.current.stores.notice ?? "" : problem
  }
}
