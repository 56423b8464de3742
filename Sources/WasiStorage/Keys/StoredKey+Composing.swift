import SharingCore

// For custom keys that are built on a stored key. Wrappers of the stored key itself use its
// connection, and call none of these.
extension StoredKey {
  /// Loads and decodes the stored value.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    value.load(.continuation(continuation.continuation), isFirst: false)
  }

  /// Follows changes by other tabs and programs.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let value = value
    value.follow(subscriber.receiver)
    return SharedSubscription { value.unfollow(subscriber.receiver) }
  }

  /// Yields the stored value if it differs from the last known one.
  public func refresh(_ subscriber: SharedSubscriber<Value>) {
    value.freshen(subscriber.receiver, .change)
  }

  /// Stores the value's bytes, or removes the item if the value has none.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    self.value.save(ValueToSave(value, context), .continuation(continuation.continuation))
  }

  /// Removes the item.
  public func reset(to initialValue: Value, continuation: SaveContinuation) {
    value.remove(
      ValueToSave(initialValue, .userInitiated), .continuation(continuation.continuation))
  }

  private var value: StoredValue {
    SharingEnvironment.current.object { ComposedValues() }.value(of: self)
  }
}

/// The stored values of keys that are part of custom keys. They live as long as the environment.
private final class ComposedValues: @unchecked Sendable {
  private let lock = Lock()
  private var values: [StoredValue] = []

  func value<Value>(of key: StoredKey<Value>) -> StoredValue {
    let coding = key.coding
    if let known = lock.withLock({ known(key.id, coding) }) { return known }
    // Without the lock: the store may be the program's own (rule R7).
    let made = StoredValue(key.item, coding)
    return lock.withLock {
      if let known = known(key.id, coding) { return known }
      values.append(made)
      return made
    }
  }

  /// The lock is held.
  private func known(_ id: KeyID, _ coding: AnyStorageCoding) -> StoredValue? {
    values.first { $0.id == id && $0.coding.valueType.isSame(as: coding.valueType) }
  }
}
