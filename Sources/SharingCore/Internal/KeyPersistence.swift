/// The link between a root and its key: loads at first use, takes over what the key yields.
final class KeyPersistence<Key: SharedReaderKey>: Persistence, @unchecked Sendable {
  /// The key of the first wrapper: it knows what the store was like when it was last asked.
  let key: Key
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
  func start(_ first: FirstLoad) {
    Turn.current.withoutObserver {
      if first == .now { load(.initialValue(initialValue)) { _ in } }
      let subscriber = SharedSubscriber<Key.Value>(
        callback: { self.receive($0, since: nil) },
        onLoading: { self.root?.setLoading($0) },
        onRefresh: { self.refresh() })
      let subscription = key.subscribe(
        context: .initialValue(initialValue), subscriber: subscriber)
      lock.withLock { self.subscription = subscription }
    }
  }

  override func refresh() {
    guard let root, !root.hasUnsavedChanges else { return }
    let revision = root.savedRevision
    Turn.current.withoutObserver {
      key.refresh(SharedSubscriber { self.receive($0, since: revision) })
    }
  }

  override func load(_ done: @escaping @Sendable (Result<Void, AnyError>) -> Void) {
    Turn.current.withoutObserver { load(.userInitiated, done) }
  }

  override func restoreInitialValue(at address: UnsafeMutableRawPointer) {
    address.assumingMemoryBound(to: Key.Value.self).pointee = initialValue
  }

  override func detach(_ reference: ObjectIdentifier) {
    entry?.remove(reference)
    let subscription = lock.withLock {
      let subscription = self.subscription
      self.subscription = nil
      target = nil
      return subscription
    }
    subscription?.cancel()
  }
}

/// When a reference that is made loads its value.
enum FirstLoad {
  /// At once.
  case now
  /// The value has been loaded, or is about to be: whoever makes the reference sees to it.
  case byCaller
}

extension KeyPersistence {
  private var root: ValueReference<Key.Value>? {
    lock.withLock { target?.object }
  }

  private func load(
    _ context: LoadContext<Key.Value>,
    _ done: @escaping @Sendable (Result<Void, AnyError>) -> Void
  ) {
    // The only copy of such a value is the one in memory: there is nothing to load.
    guard key.lifetime != .environment, let root else { return done(.success(())) }
    root.setLoading(true)
    let revision = root.savedRevision
    let continuation = LoadContinuation<Key.Value> { result in
      self.receive(result, since: revision)
      done(result.map { _ in })
    }
    key.load(context: context, continuation: continuation)
  }

  /// What is lost is said: the store's value is the one that others see, so it wins.
  private static var replaced: StorageError {
    StorageError(
      .replaced, key: nil,
      """
      A change that could not be saved has been replaced by what another program has stored. Make \
      the change again.
      """)
  }

  /// Takes over what the key tells: a value, nil for the default, or an error.
  private func receive(_ result: Result<Key.Value?, AnyError>, since revision: Int?) {
    guard let root else { return }
    batch {
      var error = result.failure
      if case .success(let value) = result,
        root.receive(value ?? initialValue, since: revision), root.hasSaveError
      {
        root.setSaveError(nil)
        error = Self.replaced
      }
      root.setLoadError(error)
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
