import SharingCore

/// Notifies the listeners of a store's keys of changes.
///
/// The listeners are a linked list: one is removed without a search, and without moving others
/// during a notification.
package final class ChangeHub: @unchecked Sendable {
  private let lock = Lock()
  private var first: Listener?

  private final class Listener: @unchecked Sendable {
    let key: KeyName
    /// The object whose own changes do not call this listener.
    let owner: AnyObject?
    let onChange: @Sendable () -> Void
    /// Whether it was removed. A removed listener is not called, even if the notification began
    /// before.
    var isRemoved = false
    /// Kept after the removal, so that a running notification can continue from here.
    var next: Listener?
    /// The list keeps it alive.
    unowned(unsafe) var previous: Listener?

    init(_ key: KeyName, _ owner: AnyObject?, _ onChange: @escaping @Sendable () -> Void) {
      self.key = key
      self.owner = owner
      self.onChange = onChange
    }
  }

  package init() {}

  package func subscribe(
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

  /// Calls the listeners of one key, or of all keys if it is nil, in one batch. Those of the object
  /// that made the change are left out.
  package func notify(_ key: KeyName?, from owner: AnyObject? = nil) {
    guard let first = next(lock.withLock { first }, key, owner) else { return }
    batch {
      var listener: Listener? = first
      while let current = listener {
        current.onChange()
        listener = next(lock.withLock { current.next }, key, owner)
      }
    }
  }

  /// The first listener to call, from this one on.
  private func next(_ listener: Listener?, _ key: KeyName?, _ owner: AnyObject?) -> Listener? {
    var listener = listener
    while let current = listener {
      let isOther = owner == nil || current.owner !== owner
      if isOther, key == nil || current.key == key, !lock.withLock({ current.isRemoved }) {
        return current
      }
      listener = lock.withLock { current.next }
    }
    return nil
  }

  private func remove(_ listener: Listener) {
    lock.withLock {
      listener.isRemoved = true
      listener.next?.previous = listener.previous
      if let previous = listener.previous {
        previous.next = listener.next
      } else {
        first = listener.next
      }
    }
  }
}
