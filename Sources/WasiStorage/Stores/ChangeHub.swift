import SharingCore

/// Who wants to hear of which key: what stores use to tell of changes.
final class ChangeHub: @unchecked Sendable {
  private let lock = Lock()
  private var listeners: [Listener] = []

  private final class Listener: @unchecked Sendable {
    let key: KeyName
    let onChange: @Sendable () -> Void
    /// Whether it has left; it is not called then, even when it was there as the notifying began.
    var hasLeft = false
    /// The listener's place in the list, so that leaving it takes no search.
    var index = 0

    init(_ key: KeyName, _ onChange: @escaping @Sendable () -> Void) {
      self.key = key
      self.onChange = onChange
    }
  }

  func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    let listener = Listener(key, onChange)
    lock.withLock {
      listener.index = listeners.count
      listeners.append(listener)
    }
    return SharedSubscription { self.remove(listener) }
  }

  /// Tells the listeners of one key, or of all keys when it is nil, as one batch.
  func notify(_ key: KeyName?) {
    let concerned = lock.withLock { listeners.filter { key == nil || $0.key == key } }
    batch {
      for listener in concerned where !lock.withLock({ listener.hasLeft }) { listener.onChange() }
    }
  }

  private func remove(_ listener: Listener) {
    lock.withLock {
      listener.hasLeft = true
      let last = listeners.removeLast()
      guard last !== listener else { return }
      listeners[listener.index] = last
      last.index = listener.index
    }
  }
}
