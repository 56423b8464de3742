import SharingCore
import WasiStorage

/// The demo: what it is made of, what can be done to it, and what is wrong with it.
final class App {
  private let page: Page
  private let inspector: Inspector?
  private let counter: Counter
  private let todos: TodoList
  private let progress: Progress
  private var tokens: [ObservationToken] = []
  private var warning: UTF8Text = ""
  /// What a person can do, by name.
  private(set) var actions: [Action] = []

  init(on page: Page) {
    self.page = page
    // It watches the stores from before the first key is made: keys of other stores share nothing.
    inspector = page == .browser ? Inspector(on: page) : nil
    counter = Counter()
    todos = TodoList(on: page)
    progress = Progress()
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
    tokens = [count, progress.show(on: page), observe { [self] in warn(problem) }]
    inspector?.show(counter, todos)
  }

  /// Says what is wrong, once for as long as it is.
  private func warn(_ problem: UTF8Text) {
    if problem != warning { page.warn(problem) }
    warning = problem
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
    var last: UTF8Text = ""
    func add(_ error: AnyError?) {
      guard let error else { return }
      let message = message(of: error)
      if message == last { return }  // what cannot be read is not overwritten, for that very reason
      if !problem.isEmpty { problem += " " }
      problem += message
      last = message
    }
    let (count, list) = (counter.status, todos.status)
    add(count.saveError)
    add(count.loadError)
    add(list.saveError)
    add(list.loadError)
    return problem.isEmpty ? SharingEnvironment.current.stores.notice ?? "" : problem
  }
}
