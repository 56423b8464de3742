/// When a reference that is made loads its value.
enum FirstLoad {
  /// At once.
  case now
  /// The value has been loaded because somebody has asked for it.
  case loaded
  /// Somebody asks for it and is about to load it: the store is followed from then on.
  case byCaller
}

extension CellPersistence {
  /// Loads the first value and follows the store from then on.
  func start(_ cell: Cell, _ first: FirstLoad) {
    Scheduler.current.with(nil) {
      if case .now = first { load(cell, isFirst: true) { _ in } } else { isAskedFor = true }
      cell.showDefault()
      if case .byCaller = first { followsAfterLoad = true } else { follow() }
    }
  }

  private func follow() {
    connection.follow(.cell(self, revision: nil))
  }

  /// Hears once whether there is a value, or why it could not be loaded.
  typealias LoadCompletion = @Sendable (Result<Bool, AnyError>) -> Void

  /// Loads because somebody asks for it.
  func load(_ cell: Cell, _ done: @escaping LoadCompletion) {
    let scheduler = Scheduler.current
    scheduler.checkRequest(of: cell)
    scheduler.with(nil) {
      load(cell, isFirst: false, done)
      if takeFollowing(of: cell) { follow() }
    }
  }

  private func takeFollowing(of cell: Cell) -> Bool {
    cell.lock.withLock {
      defer { followsAfterLoad = false }
      return followsAfterLoad
    }
  }

  /// Has the connection look at the store, unless the value has a change that the store does not
  /// know. A look that a change or a save prevents is made up for when the value is saved.
  func freshen(_ cell: Cell, _ reason: FreshenReason) {
    let scheduler = Scheduler.current
    cell.lock.lock()
    let isSavedElsewhere = savingThread.map { $0 != scheduler.thread } ?? false
    let revision = cell.isUnsaved || isSavedElsewhere ? nil : cell.revision
    if revision == nil, isSavedElsewhere || reason.isEvent { hasMissedFreshening = true }
    let mustSaveFirst =
      cell.isUnsaved && replaysUpdates && reason.isOtherKind(than: unsavedChanges)
    cell.lock.unlock()
    if mustSaveFirst { cell.saveChanges() }
    guard let revision else { return }
    scheduler.with(nil) {
      connection.freshen(.cell(self, revision: revision), reason)
    }
  }

  private func load(_ cell: Cell, isFirst: Bool, _ done: @escaping LoadCompletion) {
    let (number, revision, hasStatus) = cell.lock.withLock {
      let isSaved = !cell.isUnsaved && saves.underWay == 0
      return (loads.begin(), isSaved ? cell.revision : nil, self.hasStatus)
    }
    if hasStatus { tellProgress() }
    connection.load(
      LoadRequest(.cell(self, number: number, .load(revision), done: done), isFirst: isFirst))
  }

  /// Takes over the answer to a load, unless a later one has been answered.
  /// - Returns: The value's revision from then on; nil when it was not taken over.
  func didLoad(
    _ outcome: Outcome, _ number: UInt32, _ asked: Cell.ChangeSource, _ done: LoadCompletion
  ) -> UInt32? {
    let isLast = cell.map { cell in cell.lock.withLock { loads.end(number) } } ?? false
    let source = hasSaveError && !replaysUpdates ? .loadOfUnsaved : asked
    let revision = isLast ? receive(outcome, source, Cell.takeOver) : nil
    if !isLast { tellProgress() }
    switch outcome {
    case .failure(let error): done(.failure(error))
    case .value: done(.success(true))
    // What was not taken over stands behind a change that is not saved yet.
    case .nothing: done(.success(isLast && revision == nil))
    }
    return revision
  }

  /// Takes over what the connection tells.
  /// - Parameter change: Takes over a value.
  /// - Returns: The value's revision from then on; nil when it was not taken over.
  @discardableResult
  func receive(
    _ outcome: Outcome, _ asked: Cell.ChangeSource,
    _ change: Cell.Replacement
  ) -> UInt32? {
    guard let cell else { return nil }
    return batch {
      var revision: UInt32?
      var failure: AnyError?
      switch outcome {
      case .value(let value): revision = cell.replace(by: value, asked, change)
      case .nothing:
        revision = cell.keepDefault(asked)
        if revision == nil {
          cell.withInitialValue { revision = cell.replace(by: $0, asked, change) }
        }
      case .failure(let error): failure = error
      }
      if endLoadingByItself() || failure != nil {
        tell(failure, revision == nil ? nil : outcome)
      }
      return revision
    }
  }

  /// - Parameter taken: What was taken over; nil for nothing.
  @inline(never)
  private func tell(_ failure: AnyError?, _ taken: Outcome?) {
    var error = failure
    if let taken, hasSaveError, !replaysUpdates {
      setSaveError(nil)
      if case .nothing = taken { error = removed } else { error = replaced }
    }
    setLoadError(error)
    tellProgress()
  }
}

/// The error of a lost change. The stored value is the one that others see, so it wins.
private var replaced: StorageError {
  StorageError(
    .replaced, key: nil,
    """
    A change that could not be saved has been replaced by a stored value that this program had not \
    read. Make the change again.
    """)
}

/// The error of a change that is lost since nothing is stored any more.
private var removed: StorageError {
  StorageError(
    .replaced, key: nil,
    """
    A change that could not be saved is dropped, and the default is shown: the stored value has \
    been removed. Make the change again.
    """)
}
