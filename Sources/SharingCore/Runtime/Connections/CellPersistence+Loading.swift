/// The first load of a new reference.
enum FirstLoad {
  /// Loads at once.
  case now
  /// Loads nothing: the program already loaded the value.
  case loaded
  /// Loads nothing: the caller is about to. The store is followed after that.
  case byCaller
}

extension CellPersistence {
  /// Loads the first value and then follows the store.
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

  /// Receives once whether there is a value, or the error of the load.
  typealias LoadCompletion = @Sendable (Result<Bool, AnyError>) -> Void

  /// Loads the value at the program's request.
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

  /// Reads a newer value from the store, unless the value has an unsaved change. If a change or a
  /// save prevents the read, it is done after the save.
  func freshen(_ cell: Cell, _ reason: FreshenReason) {
    let scheduler = Scheduler.current
    scheduler.checkRead(of: cell)
    cell.lock.lock()
    let isSavedElsewhere = savingThread.map { $0 != scheduler.thread } ?? false
    let revision = cell.isUnsaved || isSavedElsewhere ? nil : cell.revision
    if revision == nil, isSavedElsewhere || reason == .event { hasSkippedRead = true }
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
    if hasStatus { updateProgress() }
    connection.load(
      LoadRequest(.cell(self, number: number, .load(revision), done: done), isFirst: isFirst))
  }

  /// Handles the answer to a load. If a later load was answered before, the value stays.
  /// - Returns: The value's new revision, nil if the value was not replaced; and the result for the
  ///   completion of the load.
  func didLoad(
    _ outcome: Outcome, _ number: UInt32, _ asked: Cell.ChangeSource
  ) -> (revision: UInt32?, result: Result<Bool, AnyError>) {
    let isLast =
      cell.map { cell in
        Scheduler.current.checkRequest(of: cell)
        return cell.lock.withLock { loads.end(number) }
      } ?? false
    let source = hasSaveError && !replaysUpdates ? .loadOfUnsaved : asked
    let revision = isLast ? receive(outcome, source) : nil
    if !isLast { updateProgress() }
    switch outcome {
    case .failure(let error): return (revision, .failure(error))
    case .value: return (revision, .success(true))
    // If the default did not replace the value, there is an unsaved change, and so a value.
    case .nothing: return (revision, .success(isLast && revision == nil))
    }
  }

  /// Handles a value or a failure from the connection.
  /// - Returns: The value's new revision, nil if the value was not replaced.
  @discardableResult
  func receive(_ outcome: Outcome, _ asked: Cell.ChangeSource) -> UInt32? {
    guard let cell else { return nil }
    return batch {
      var revision: UInt32?
      var failure: AnyError?
      var isDefault = false
      switch outcome {
      case .value(let value): revision = cell.replace(by: .value(value), asked)
      case .nothing:
        isDefault = true
        revision = cell.keepDefault(asked)
        if revision == nil {
          cell.withInitialValue { revision = cell.replace(by: .value($0), asked) }
        }
      case .failure(let error): failure = error
      }
      if endLoadingByItself() || failure != nil {
        setErrors(failure, isTaken: revision != nil, isDefault: isDefault)
      }
      return revision
    }
  }

  /// Handles the difference of a stored array from the value.
  /// - Parameter revision: The revision of the value that the patch was made for.
  /// - Returns: The value's new revision, nil if the value was not changed.
  func receive(_ patch: any _ValuePatch, madeFor revision: UInt32) -> UInt32? {
    guard let cell else { return nil }
    return batch {
      let taken = cell.replace(by: .patch(patch), .refresh(revision))
      if endLoadingByItself() { setErrors(nil, isTaken: taken != nil, isDefault: false) }
      return taken
    }
  }

  /// Sets the errors of the status after an outcome.
  /// - Parameters:
  ///   - isTaken: Whether it has replaced the value.
  ///   - isDefault: Whether nothing is stored, so that the value is the default.
  @inline(never)
  private func setErrors(_ failure: AnyError?, isTaken: Bool, isDefault: Bool) {
    var error = failure
    if isTaken, hasSaveError, !replaysUpdates {
      setSaveError(nil)
      error = isDefault ? removed : replaced
    }
    setLoadError(error)
    updateProgress()
  }
}

/// The error of a lost change. Other programs see the stored value, so that wins.
private var replaced: StorageError {
  StorageError(
    .replaced, key: nil,
    """
    A change that could not be saved has been replaced by a stored value that this program had not \
    read. Make the change again.
    """)
}

/// The error of a change that is lost because the stored value was removed.
private var removed: StorageError {
  StorageError(
    .replaced, key: nil,
    """
    A change that could not be saved is dropped, and the default is shown: the stored value has \
    been removed. Make the change again.
    """)
}
