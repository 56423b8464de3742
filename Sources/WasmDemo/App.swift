import SharingCore
import WasiStorage

/// The demo: what it is made of, what can be done to it, and what is wrong with it.
final class App {
  private let page: Page
  private let counter: Counter
  private let todos: TodoList
  private let progress: Progress
  private let inspector: Inspector?
  private var tokens: [ObservationToken] = []
  /// What a person can do, by name.
  let actions: [Action]

  init(on page: Page) {
    self.page = page
    let stores = page == .browser ? WatchedStores() : nil
    let (counter, todos) = (Counter(), TodoList(on: page))
    let inspector = stores.map { $0.inspector(of: counter, todos, on: page) }
    (self.counter, self.todos, self.inspector) = (counter, todos, inspector)
    progress = Progress()
    var actions = counter.actions + todos.actions
    if let inspector { actions += todos.pageActions + inspector.actions }
    actions.append(Action("show") {})  // every run shows the state before it does anything
    self.actions = actions
  }

  /// Shows everything, now and whenever it changes.
  func show() {
    tokens = [counter.show(on: page)] + todos.show()
    tokens.append(progress.show(on: page))
    tokens.append(observe { [self] in page.warn(problem) })
    inspector?.show()
  }

  /// A store in memory that holds what the program has stored until now.
  static func copyOfStored() -> MemoryStore {
    let copy = MemoryStore()
    for name in ["count", "todos-sharing"] as [StaticString] {
      let key = KeyName(bytes: UTF8Text("\(name)").bytes)
      let bytes = try? SharingEnvironment.current.stores.local.bytes(for: key)
      if let bytes { copy.set(bytes, for: key) }
    }
    return copy
  }

  /// Whether everything that was changed has been stored.
  var isSaved: Bool { counter.status.saveError == nil && todos.status.saveError == nil }

  /// What a person should know: what could not be saved or read, or that values are not kept.
  private var problem: UTF8Text {
    var problem: UTF8Text = ""
    for status in [counter.status, todos.status] {
      for case let error? in [status.saveError, status.loadError] {
        problem += problem.isEmpty ? message(of: error) : " \(message(of: error))"
      }
    }
    return problem.isEmpty ? SharingEnvironment.current.stores.notice ?? "" : problem
  }
}
