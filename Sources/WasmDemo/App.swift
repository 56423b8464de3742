import SharingPage

/// The demo and its parts.
@main
struct App: PageApp {
  func start(on page: Page) {
    // It watches the stores from before the first key is made: keys of other stores share nothing.
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
