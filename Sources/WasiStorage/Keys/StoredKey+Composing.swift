import SharingCore

// For custom keys that are built on a stored key. Wrappers of the stored key itself use its
// connection, and call none of these.
extension StoredKey {
  /// Loads and decodes the stored value.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    let value = value
    value.encoded.noteDefault(of: context)
    value.load(LoadRequest(continuation))
  }

  /// Follows changes by other tabs and programs.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let values = SharingEnvironment.current[ComposedValues.slot]
    let value = values.value(of: id, coding())
    value.follow(subscriber.link)
    return SharedSubscription {
      value.unfollow()
      values.release(value)
    }
  }

  /// Yields the stored value if it differs from the last known one.
  public func refresh(_ subscriber: SharedSubscriber<Value>) {
    value.freshen(subscriber.link, .change)
  }

  /// Stores the value's bytes, or removes the item if the value has none.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    let request = SaveRequest(value, context, continuation)
    self.value.save(request.copyOfValue(), request).resume(continuation)
  }

  /// Removes the item.
  public func reset(to initialValue: Value, continuation: SaveContinuation) {
    let request = SaveRequest(initialValue, .userInitiated, continuation)
    value.remove(request.copyOfValue(), request).resume(continuation)
  }

  private var value: StoredValue {
    SharingEnvironment.current[ComposedValues.slot].value(of: id, coding())
  }
}

/// The stored values of keys that are part of custom keys. They live as long as the environment.
///
/// Each custom key has its own, as if another program used it: a change through one of two custom
/// keys over one item reaches the other through the store.
private final class ComposedValues: @unchecked Sendable {
  static let slot = SharingEnvironmentSlot { ComposedValues() }

  private let lock = Lock()
  private var entries: [(value: StoredValue, owner: UnsafeRawPointer?)] = []

  /// Returns the stored value for the custom key that is being called. A key that calls later, such
  /// as from another thread, is unknown, and gets the first one.
  func value(of key: StoredKeyID, _ coding: AnyStorageCoding) -> StoredValue {
    let owner = callingConnection
    if let known = lock.withLock({ known(key, coding, owner) }) { return known }
    // Without the lock: the store may be the program's own (rule R7).
    let made = StoredValue(key, coding)
    return lock.withLock {
      if let known = known(key, coding, owner) { return known }
      entries.append((made, owner))
      return made
    }
  }

  /// Ends a custom key's use of a stored value; another one may use it.
  func release(_ value: StoredValue) {
    lock.withLock {
      if let index = entries.firstIndex(where: { $0.value === value }) {
        entries[index].owner = nil
      }
    }
  }

  /// The lock is held.
  private func known(
    _ key: StoredKeyID, _ coding: AnyStorageCoding, _ owner: UnsafeRawPointer?
  ) -> StoredValue? {
    let known = entries.indices.filter {
      let value = entries[$0].value
      return value.key == key && value.coding.valueType.isSame(as: coding.valueType)
    }
    guard let owner else { return known.first.map { entries[$0].value } }
    let own = known.first { entries[$0].owner == owner } ?? known.first { entries[$0].owner == nil }
    guard let own else { return nil }
    entries[own].owner = owner
    return entries[own].value
  }
}
