/// The link between a root and its key: loads at first use, takes over what the key yields.
final class KeyPersistence<Key: SharedReaderKey>: ValuePersistence<Key.Value>,
  @unchecked Sendable
{
  /// The key of the first wrapper: it knows what the store was like when it was last asked.
  let key: Key
  private let initialValue: Key.Value
  private let entry: TableEntry
  private let table: ReferenceTable
  private let lock = Lock()
  private var subscription: SharedSubscription?

  init(
    _ key: Key, initialValue: Key.Value, entry: TableEntry, in table: ReferenceTable
  ) {
    self.key = key
    self.initialValue = initialValue
    self.entry = entry
    self.table = table
  }

  /// Loads the first value and subscribes to what comes later.
  func start(_ first: FirstLoad) {
    Turn.current.withoutObserver {
      if first == .now { load(.initialValue(initialValue)) { _ in } }
      let subscriber = SharedSubscriber<Key.Value>(
        callback: { self.receive($0, since: nil) },
        onLoading: { if self.root != nil { self.setLoading($0) } },
        onRefresh: { if let root = self.root { self.refresh(root) } })
      let subscription = key.subscribe(
        context: .initialValue(initialValue), subscriber: subscriber)
      lock.withLock { self.subscription = subscription }
    }
  }

  override func refresh(_ root: Root) {
    guard !root.hasUnsavedChanges else { return }
    let version = root.version
    Turn.current.withoutObserver {
      key.refresh(SharedSubscriber { self.receive($0, since: version) })
    }
  }

  override func load(_ done: @escaping Completion) {
    Turn.current.withoutObserver { load(.userInitiated, done) }
  }

  override func restoreInitialValue(at address: UnsafeMutableRawPointer) {
    address.assumingMemoryBound(to: Key.Value.self).pointee = initialValue
  }

  override func detach() {
    table.remove(entry)
    let subscription = lock.withLock {
      let subscription = self.subscription
      self.subscription = nil
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
  /// The root, as long as somebody refers to it.
  private var root: ValueReference<Key.Value>? {
    table.root(of: entry).map { unsafeDowncast($0, to: ValueReference<Key.Value>.self) }
  }

  private func load(_ context: LoadContext<Key.Value>, _ done: @escaping Completion) {
    guard let root else { return done(.success(())) }
    setLoading(true)
    let version = root.version
    let continuation = LoadContinuation<Key.Value> { result in
      self.receive(result, since: version)
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
  private func receive(_ result: Result<Key.Value?, AnyError>, since version: Root.Version?) {
    guard let root else { return }
    batch {
      var error = result.failure
      if case .success(let value) = result,
        root.receive(value ?? initialValue, since: version), hasSaveError
      {
        setSaveError(nil)
        error = Self.replaced
      }
      setLoadError(error)
      setLoading(false)
    }
  }
}

extension Result {
  var failure: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
