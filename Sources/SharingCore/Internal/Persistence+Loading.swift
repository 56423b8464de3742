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
    guard let revision = revisionToRefresh(root) else { return }
    Turn.current.withoutObserver {
      if needsRefresh { refresh(RootSubscriber(self, since: revision)) }
    }
  }

  /// The value's revision; nil while it has a change that the store does not know. A look at the store
  /// that a save on another thread prevents is made up for by that thread.
  private func revisionToRefresh(_ root: Root) -> UInt32? {
    root.lock.withLock {
      if root.isUnsaved { return nil }
      guard let savingThread, savingThread != Turn.current.thread else { return root.revision }
      hasMissedRefresh = true
      return nil
    }
  }

  private func load(_ initialValue: UnsafeMutableRawPointer?, _ done: @escaping LoadCompletion) {
    guard let root else { return done(.success(false)) }
    Turn.current.checkRequest(of: root)
    let (number, revision) = root.lock.withLock {
      let isSaved = !root.isUnsaved && saves.underWay == 0
      return (loads.begin(), isSaved ? root.revision : nil)
    }
    setLoading(true)
    load(
      initialValue,
      ContinuationBox(
        .key(.passUnretained(self)), .load(self, number: number, .load(revision), done: done)))
  }

  /// Takes over the answer to a load, unless a later one has been answered.
  /// - Returns: Whether it was taken over.
  final func didLoad(
    _ outcome: Outcome, _ number: UInt32, _ asked: Root.Asked, _ done: LoadCompletion
  ) -> Bool {
    let isLast = root.map { root in root.lock.withLock { loads.end(number) } } ?? false
    let isTaken = isLast ? receive(outcome, asked) : false
    if !isLast { setLoading(isLoadUnderWay) }
    if let error = outcome.failure {
      done(.failure(error))
    } else {
      // What was not taken over stands behind a change that is not saved yet.
      done(.success(!outcome.isNothing || (isLast && !isTaken)))
    }
    return isTaken
  }

  private var isLoadUnderWay: Bool {
    root.map { root in root.lock.withLock { loads.underWay > 0 } } ?? false
  }

  /// Takes over what the key tells.
  /// - Returns: Whether it was taken over.
  final func receive(_ outcome: Outcome, _ asked: Root.Asked) -> Bool {
    guard let root else { return false }
    return batch {
      var error = outcome.failure
      let isTaken = error == nil && root.receive(outcome, asked)
      if isTaken, hasSaveError {
        setSaveError(nil)
        error = replaced
      }
      setLoadError(error)
      setLoading(isLoadUnderWay)
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
