import SharingPage

/// The demo and its parts.
@main
struct App: PageApp, CommandApp {
  func start(on page: Page) {
    let counter = Counter()
    let todos = TodoList(on: page)
    counter.start(on: page)
    todos.start()
    Tally.start(on: page)
    Progress().start(on: page)
  }
}
