import SharingCore
import WasiStorage

/// Reports commits to the watchers of a revision store.
final class RevisionFeed: @unchecked Sendable {
  private let lock = Lock()
  private var watchers: [Watcher] = []

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    let watcher = Watcher(onChange)
    lock.withLock { watchers.append(watcher) }
    return SharedSubscription {
      self.lock.withLock { self.watchers = self.watchers.filter { $0 !== watcher } }
    }
  }

  func publish(_ changes: StoreChanges) {
    for watcher in lock.withLock({ watchers }) { watcher.onChange(changes) }
  }
}

private final class Watcher: Sendable {
  let onChange: @Sendable (StoreChanges) -> Void

  init(_ onChange: @escaping @Sendable (StoreChanges) -> Void) {
    self.onChange = onChange
  }
}
