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

  final func load(_ request: LoadRequest) {
    key.load(
      context: Self.context(request.withInitialValue), continuation: LoadContinuation(.of(request)))
  }

  final func freshen(_ link: CellLink, _ reason: FreshenReason) {
    key.refresh(SharedSubscriber(refreshing: link))
  }

  func save(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer { .saved }

  func remove(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer { .saved }

  final func follow(_ link: CellLink) {
    let subscription = key.subscribe(
      context: Self.context(link.withInitialValue), subscriber: SharedSubscriber(link))
    lock.withLock { self.subscription = subscription }
  }

  final func unfollow(_ link: CellLink) {
    let subscription = lock.withLock {
      defer { self.subscription = nil }
      return self.subscription
    }
    subscription?.cancel()
  }

  private static func context(
    _ withInitialValue: ((UnsafeMutableRawPointer) -> Void) -> Void
  ) -> LoadContext<Key.Value> {
    var context = LoadContext<Key.Value>.userInitiated
    withInitialValue {
      context = .initialValue($0.assumingMemoryBound(to: Key.Value.self).pointee)
    }
    return context
  }
}

/// Adapts a writable key.
final class KeyConnection<Key: SharedKey>: ReaderKeyConnection<Key>, @unchecked Sendable {
  override func save(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer {
    key.save(
      value.address.assumingMemoryBound(to: Key.Value.self).pointee, context: request.context,
      continuation: SaveContinuation(AnyContinuation(.save(request))))
    return .later
  }

  override func remove(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer {
    key.reset(
      to: value.address.assumingMemoryBound(to: Key.Value.self).pointee,
      continuation: SaveContinuation(AnyContinuation(.save(request))))
    return .later
  }
}
