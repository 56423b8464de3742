import SharingPage

/// The demo and its parts.
@main
struct App: PageApp {
  func start(on page: Page) {
    // The inspector replaces the stores before the first key uses them.
    let inspector = Page.isInBrowser ? Inspector(on: page) : nil
    let counter = Counter()
    let todos = TodoList(on: page)
    counter.start(on: page)
    todos.start()
    Tally.start(on: page)
    Progress().start(on: page)
    inspector?.start(counter, todos)
  }
}
