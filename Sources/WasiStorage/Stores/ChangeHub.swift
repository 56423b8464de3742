import SharingCore

/// Who wants to hear of which key: what stores use to tell of changes.
///
/// A linked list, which one leaves without a search, and without moving others while they are told.
final class ChangeHub: @unchecked Sendable {
  private let lock = Lock()
  private var first: Listener?

  private final class Listener: @unchecked Sendable {
    let key: KeyName
    let onChange: @Sendable () -> Void
    /// Whether it has left; it is not called then, even when it was there as the notifying began.
    var hasLeft = false
    /// Kept when it leaves, so that whoever is here finds the way on.
    var next: Listener?
    /// In the list, and so alive.
    unowned(unsafe) var previous: Listener?

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
      listener.next = first
      first?.previous = listener
      first = listener
    }
    return SharedSubscription { self.remove(listener) }
  }

  /// Tells the listeners of one key, or of all keys when it is nil, as one batch.
  func notify(_ key: KeyName?) {
    batch {
      var listener = lock.withLock { first }
      while let current = listener {
        if key == nil || current.key == key, !lock.withLock({ current.hasLeft }) {
          current.onChange()
        }
        listener = lock.withLock { current.next }
      }
    }
  }

  private func remove(_ listener: Listener) {
    lock.withLock {
      listener.hasLeft = true
      listener.next?.previous = listener.previous
      if let previous = listener.previous {
        previous.next = listener.next
      } else {
        first = listener.next
      }
    }
  }
}
