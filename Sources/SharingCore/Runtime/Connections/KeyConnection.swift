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
    let context = Self.context(request.withInitialValue)
    Scheduler.current.calling(keyOf: self) {
      key.load(context: context, continuation: LoadContinuation(.of(request)))
    }
  }

  final func freshen(_ link: CellLink, _ reason: FreshenReason) {
    Scheduler.current.calling(keyOf: self) { key.refresh(SharedSubscriber(refreshing: link)) }
  }

  func save(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer { .saved }

  func remove(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer { .saved }

  final func follow(_ link: CellLink) {
    let context = Self.context(link.withInitialValue)
    let subscription = Scheduler.current.calling(keyOf: self) {
      key.subscribe(context: context, subscriber: SharedSubscriber(link))
    }
    lock.withLock { self.subscription = subscription }
  }

  final func unfollow() {
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
    Scheduler.current.calling(keyOf: self) {
      key.save(
        value.address.assumingMemoryBound(to: Key.Value.self).pointee, context: request.context,
        continuation: SaveContinuation(AnyContinuation(.save(request))))
    }
    return .later
  }

  override func remove(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer {
    Scheduler.current.calling(keyOf: self) {
      key.reset(
        to: value.address.assumingMemoryBound(to: Key.Value.self).pointee,
        continuation: SaveContinuation(AnyContinuation(.save(request))))
    }
    return .later
  }
}
