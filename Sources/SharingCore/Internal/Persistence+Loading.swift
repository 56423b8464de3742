/// When a reference that is made loads its value.
enum FirstLoad {
  /// At once.
  case now
  /// The value has been loaded, or is about to be: whoever makes the reference sees to it.
  case byCaller
}

extension Persistence {
  /// Loads the first value and subscribes to what comes later.
  final func start(_ root: Root, _ first: FirstLoad) {
    Turn.current.withoutObserver {
      root.withInitialValue { initialValue in
        if first == .now { load(initialValue) { _ in } }
        follow(initialValue)
      }
    }
  }

  /// Loads because somebody asks for it; `done` hears the outcome once.
  final func load(_ done: @escaping Completion) {
    Turn.current.withoutObserver { load(nil, done) }
  }

  /// Lets the key yield what its store holds now, if that is something new.
  final func refresh(_ root: Root) {
    guard !root.hasUnsavedChanges else { return }
    let subscriber = RootSubscriber(self, since: root.version)
    Turn.current.withoutObserver { refresh(subscriber) }
  }

  private func load(_ initialValue: UnsafeMutableRawPointer?, _ done: @escaping Completion) {
    guard let root else { return done(.success(())) }
    setLoading(true)
    let version = root.version
    let continuation = ContinuationBox { outcome in
      self.receive(outcome, since: version)
      done(outcome.completion)
    }
    load(initialValue, continuation)
  }

  /// Takes over what the key tells.
  final func receive(_ outcome: Outcome, since version: Root.Version?) {
    guard let root else { return }
    batch {
      var error = outcome.failure
      if error == nil, root.receive(outcome, since: version), hasSaveError {
        setSaveError(nil)
        error = replaced
      }
      setLoadError(error)
      setLoading(false)
    }
  }

  /// Has the key store the value as it is; `done` hears the outcome once.
  final func save(_ root: Root, _ request: SaveRequest, _ done: @escaping Completion) {
    guard let saver = root.lock.withLock({ saver }) else { return done(.success(())) }
    let continuation = ContinuationBox { outcome in
      self.setSaveError(outcome.failure)
      // What a change has found out just now, such as a loss, its own saving does not unsay.
      if outcome.failure == nil, !self.isLoadErrorNew { self.setLoadError(nil) }
      done(outcome.completion)
    }
    Turn.current.withoutObserver { saver(request, root, SaveContinuation(continuation)) }
  }
}

/// What is lost is said: the store's value is the one that others see, so it wins.
private var replaced: StorageError {
  StorageError(
    .replaced, key: nil,
    """
    A change that could not be saved has been replaced by what another program has stored. Make \
    the change again.
    """)
}
