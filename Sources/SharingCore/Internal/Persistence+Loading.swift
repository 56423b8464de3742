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

  /// Hears once whether there is a value, or why it could not be loaded.
  typealias LoadCompletion = @Sendable (Result<Bool, AnyError>) -> Void

  /// Loads because somebody asks for it.
  final func load(_ done: @escaping LoadCompletion) {
    Turn.current.withoutObserver { load(nil, done) }
  }

  /// Lets the key yield what its store holds now, if that is something new.
  final func refresh(_ root: Root) {
    guard let version = versionToRefresh(root) else { return }
    Turn.current.withoutObserver {
      if needsRefresh { refresh(RootSubscriber(self, since: version)) }
    }
  }

  /// What the value is now; nil while it has a change that the store does not know. A look at the store
  /// that a save on another thread prevents is made up for by that thread.
  private func versionToRefresh(_ root: Root) -> Root.Version? {
    root.lock.withLock {
      if root.isUnsaved { return nil }
      guard let savingThread, savingThread != Turn.current.thread else {
        return .revision(root.revision)
      }
      hasMissedRefresh = true
      return nil
    }
  }

  /// What the value is now: unsaved until the key has answered all saves.
  private func versionToLoad(_ root: Root) -> Root.Version {
    let version = root.version  // first: what the saving thread hands to the key is counted below
    return lock.withLock { savesUnderWay > 0 } ? .unsaved : version
  }

  private func load(_ initialValue: UnsafeMutableRawPointer?, _ done: @escaping LoadCompletion) {
    guard let root else { return done(.success(false)) }
    setLoading(true)
    let version = versionToLoad(root)
    let receiver = ContinuationBox.Receiver.callback { outcome in
      let isTaken = self.receive(outcome, since: version)
      if let error = outcome.failure { return done(.failure(error)) }
      // Where nothing was taken, there is a change that is not saved yet.
      done(.success(!(isTaken && outcome.isNothing)))
    }
    load(initialValue, ContinuationBox(nil, receiver))
  }

  /// Takes over what the key tells.
  /// - Returns: Whether it was taken over.
  @discardableResult
  final func receive(_ outcome: Outcome, since version: Root.Version?) -> Bool {
    guard let root else { return false }
    return batch {
      var error = outcome.failure
      let isTaken = error == nil && root.receive(outcome, since: version)
      if isTaken, hasSaveError {
        setSaveError(nil)
        error = replaced
      }
      setLoadError(error)
      setLoading(false)
      return isTaken
    }
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
