/// Adapts a readable key. Only here, a raw value becomes typed again.
class ReaderKeyConnection<Key: SharedReaderKey>: Connection, @unchecked Sendable {
  /// The key of the first wrapper.
  final let key: Key
  private let lock = Lock()
  private var subscription: SharedSubscription?

  init(_ key: Key) {
    self.key = key
  }

  final var label: UTF8Text { key.label }

  /// A value that the key yields may be older than a save under way.
  final var rules: PersistenceMachine.Rules { PersistenceMachine.Rules(holdsBack: true) }

  final func load(_ receiver: Receiver, isFirst: Bool) {
    key.load(
      context: Self.context(isFirst ? receiver : nil),
      continuation: LoadContinuation(.of(receiver)))
  }

  final func freshen(_ receiver: Receiver, _ reason: FreshenReason) {
    guard case .cell(let persistence, _) = receiver else { return }
    // The key delivers before it returns, so no other change comes between its yields.
    key.refresh(SharedSubscriber(.cell(persistence, .refresh)))
  }

  func save(_ value: ValueToSave, _ receiver: Receiver) { receiver.answer(nil) }

  func remove(_ value: ValueToSave, _ receiver: Receiver) { receiver.answer(nil) }

  final func follow(_ receiver: Receiver) {
    let isAskedFor =
      if case .cell(let persistence, _) = receiver { persistence.isAskedFor } else { true }
    let subscription = key.subscribe(
      context: Self.context(isAskedFor ? nil : receiver), subscriber: SharedSubscriber(receiver))
    lock.withLock { self.subscription = subscription }
  }

  final func unfollow(_ receiver: Receiver) {
    let subscription = lock.withLock {
      defer { self.subscription = nil }
      return self.subscription
    }
    subscription?.cancel()
  }

  /// - Parameter receiver: The owner of the default; nil for a request by the program.
  private static func context(_ receiver: Receiver?) -> LoadContext<Key.Value> {
    var context = LoadContext<Key.Value>.userInitiated
    receiver?.withDefault {
      context = .initialValue($0.assumingMemoryBound(to: Key.Value.self).pointee)
    }
    return context
  }
}

/// Adapts a writable key.
final class KeyConnection<Key: SharedKey>: ReaderKeyConnection<Key>, @unchecked Sendable {
  override func save(_ value: ValueToSave, _ receiver: Receiver) {
    key.save(
      value.address.assumingMemoryBound(to: Key.Value.self).pointee, context: value.context,
      continuation: SaveContinuation(.of(receiver)))
  }

  override func remove(_ value: ValueToSave, _ receiver: Receiver) {
    key.reset(
      to: value.address.assumingMemoryBound(to: Key.Value.self).pointee,
      continuation: SaveContinuation(.of(receiver)))
  }
}
