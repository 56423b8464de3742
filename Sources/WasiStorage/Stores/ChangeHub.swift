import SharingCore

/// Who wants to hear of which key: what stores use to tell of changes.
///
/// A linked list, which one leaves without a search, and without moving others while they are told.
final class ChangeHub: @unchecked Sendable {
  private let lock = Lock()
  private var first: Listener?

  private final class Listener: @unchecked Sendable {
    let key: KeyName
    /// Who is not told of what it has changed itself.
    let owner: AnyObject?
    let onChange: @Sendable () -> Void
    /// Whether it has left; it is not called then, even when it was there as the notifying began.
    var hasLeft = false
    /// Kept when it leaves, so that whoever is here finds the way on.
    var next: Listener?
    /// In the list, and so alive.
    unowned(unsafe) var previous: Listener?

    init(_ key: KeyName, _ owner: AnyObject?, _ onChange: @escaping @Sendable () -> Void) {
      self.key = key
      self.owner = owner
      self.onChange = onChange
    }
  }

  func subscribe(
    to key: KeyName, as owner: AnyObject? = nil, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    let listener = Listener(key, owner, onChange)
    lock.withLock {
      listener.next = first
      first?.previous = listener
      first = listener
    }
    return SharedSubscription { self.remove(listener) }
  }

  /// Tells the listeners of one key, or of all keys when it is nil, as one batch; all but the one
  /// who has made the change.
  func notify(_ key: KeyName?, from owner: AnyObject? = nil) {
    guard let first = next(lock.withLock { first }, key, owner) else { return }
    batch {
      var listener: Listener? = first
      while let current = listener {
        current.onChange()
        listener = next(lock.withLock { current.next }, key, owner)
      }
    }
  }

  /// The first one to be told, of a listener and those behind it.
  private func next(_ listener: Listener?, _ key: KeyName?, _ owner: AnyObject?) -> Listener? {
    var listener = listener
    while let current = listener {
      let isOther = owner == nil || current.owner !== owner
      if isOther, key == nil || current.key == key, !lock.withLock({ current.hasLeft }) {
        return current
      }
      listener = lock.withLock { current.next }
    }
    return nil
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
