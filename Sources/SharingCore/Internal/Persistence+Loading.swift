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
    let version = root.version
    guard version != .unsaved else { return }
    Turn.current.withoutObserver {
      if needsRefresh { refresh(RootSubscriber(self, since: version)) }
    }
  }

  private func load(_ initialValue: UnsafeMutableRawPointer?, _ done: @escaping Completion) {
    guard let root else { return done(.success(())) }
    setLoading(true)
    let version = root.version
    let receiver = ContinuationBox.Receiver.callback { outcome in
      self.receive(outcome, since: version)
      done(outcome.completion)
    }
    load(initialValue, ContinuationBox(nil, receiver))
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

  /// Has the key store the value as it is; who waits hears the outcome once.
  final func save(_ root: Root, _ request: SaveRequest, _ waiting: [Completion]) {
    guard let saver = root.lock.withLock({ saver }) else { return tell(.success(()), waiting) }
    let continuation = ContinuationBox(nil, .save(self, waiting: waiting))
    Turn.current.withoutObserver { saver(request, root, SaveContinuation(continuation)) }
  }

  /// Takes note of how a save went.
  final func didSave(_ outcome: Outcome, _ waiting: [Completion]) {
    setSaveError(outcome.failure)
    // What a change has found out just now, such as a loss, its own saving does not unsay.
    if outcome.failure == nil, !isLoadErrorNew { setLoadError(nil) }
    tell(outcome.completion, waiting)
  }

  private func tell(_ result: Result<Void, AnyError>, _ waiting: [Completion]) {
    for done in waiting { done(result) }
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
