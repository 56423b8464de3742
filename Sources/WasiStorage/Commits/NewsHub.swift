import SharingCore

/// Tells those who watch a revision store of what is committed.
final class NewsHub: @unchecked Sendable {
  private let lock = Lock()
  private var watchers: [Watcher] = []

  func watch(_ onNews: @escaping @Sendable (StoreNews) -> Void) -> SharedSubscription {
    let watcher = Watcher(onNews)
    lock.withLock { watchers.append(watcher) }
    return SharedSubscription {
      self.lock.withLock { self.watchers = self.watchers.filter { $0 !== watcher } }
    }
  }

  func tell(_ news: StoreNews) {
    for watcher in lock.withLock({ watchers }) { watcher.onNews(news) }
  }
}

private final class Watcher: Sendable {
  let onNews: @Sendable (StoreNews) -> Void

  init(_ onNews: @escaping @Sendable (StoreNews) -> Void) {
    self.onNews = onNews
  }
}
