import SharingCore
import WasiStorage

/// The program's stores, watched from before the first value is loaded.
struct WatchedStores {
  private let local: WatchedStore
  private let location: WatchedStore

  init() {
    let stores = SharingEnvironment.current.stores
    local = WatchedStore(over: stores.local)
    location = WatchedStore(over: stores.location)
    stores.local = local
    stores.location = location
  }

  /// What tells of the keys of the demo.
  func inspector(of counter: Counter, _ todos: TodoList, on page: Page) -> Inspector {
    let panels = [
      KeyPanel("todos-sharing", KeyName("todos-sharing"), in: local, on: page) { todos.status },
      KeyPanel("count", KeyName("count"), in: local, on: page) { counter.status },
      KeyPanel("# in the address", KeyName(bytes: []), in: location, on: page) {
        todos.routeStatus
      },
    ]
    return Inspector(of: panels, over: local.base, on: page)
  }
}

extension Counter {
  /// What is known of loading and saving it.
  var status: KeyStatus { KeyStatus($count) }
}
