/// The link between a root and its key: loads at first use, takes over what the key yields.
final class KeyPersistence<Key: SharedReaderKey>: Persistence, @unchecked Sendable {
  private let key: Key
  private let initialValue: Key.Value
  private let entry: ReferenceTable.Entry?
  private let lock = Lock()
  private var target: WeakReference<ValueReference<Key.Value>>?
  private var subscription: SharedSubscription?

  init(
    _ key: Key, of target: ValueReference<Key.Value>, initialValue: Key.Value,
    entry: ReferenceTable.Entry?
  ) {
    self.key = key
    self.target = WeakReference(target)
    self.initialValue = initialValue
    self.entry = entry
  }

  /// Loads the first value and subscribes to what comes later.
  func start() {
    load(.initialValue(initialValue)) { _ in }
    let subscription = key.subscribe(context: .initialValue(initialValue), subscriber: subscriber)
    lock.withLock { self.subscription = subscription }
  }

  override func refresh() {
    key.refresh(subscriber)
  }

  override func load(_ done: @escaping @Sendable (Result<Void, AnyError>) -> Void) {
    load(.userInitiated, done)
  }

  override func detach(_ reference: ObjectIdentifier) {
    entry?.remove(reference)
    var subscription: SharedSubscription?
    var target: WeakReference<ValueReference<Key.Value>>?
    lock.withLock {
      swap(&subscription, &self.subscription)
      swap(&target, &self.target)
    }
    subscription?.cancel()
  }
}

extension KeyPersistence {
  private var root: ValueReference<Key.Value>? {
    var root: ValueReference<Key.Value>?
    lock.withLock { root = target?.object }
    return root
  }

  private var subscriber: SharedSubscriber<Key.Value> {
    SharedSubscriber(
      callback: { result in self.receive(result) },
      onLoading: { isLoading in self.root?.setLoading(isLoading) })
  }

  private func load(
    _ context: LoadContext<Key.Value>,
    _ done: @escaping @Sendable (Result<Void, AnyError>) -> Void
  ) {
    // The only copy of such a value is the one in memory: there is nothing to load.
    guard key.lifetime != .environment else { return done(.success(())) }
    root?.setLoading(true)
    let continuation = LoadContinuation<Key.Value> { result in
      self.receive(result)
      done(result.map { _ in })
    }
    key.load(context: context, continuation: continuation)
  }

  /// Takes over what the key tells: a value, nil for the default, or an error.
  private func receive(_ result: Result<Key.Value?, AnyError>) {
    guard let root else { return }
    batch {
      switch result {
      case .success(let value): root.receive(value ?? initialValue)
      case .failure: break
      }
      root.setLoadError(result.failure)
      root.setLoading(false)
    }
  }
}

extension Result {
  var failure: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
