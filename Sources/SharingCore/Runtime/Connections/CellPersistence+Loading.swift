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
      if case .byCaller = first {
        cell.lock.withLock { machine.loadExpected() }
      } else {
        follow()
      }
    }
  }

  private func follow() {
    connection.follow(.cell(self, .yield))
  }

  /// Receives once whether there is a value, or the error of the load.
  typealias LoadCompletion = @Sendable (Result<Bool, AnyError>) -> Void

  /// Loads the value at the program's request. A change that waits for its pause is saved first.
  func load(_ cell: Cell, _ done: @escaping LoadCompletion) {
    let scheduler = Scheduler.current
    scheduler.checkRequest(of: cell)
    // The load must not clear the report of a loss by that save.
    let canClearLoss = !cell.saveWaiting()
    scheduler.with(nil) {
      load(cell, isFirst: false, canClearLoss: canClearLoss, done)
    }
  }

  private func load(
    _ cell: Cell, isFirst: Bool, canClearLoss: Bool = false, _ done: LoadCompletion? = nil
  ) {
    let turn = canClearLoss ? Scheduler.current.turn : nil
    let (number, hasStatus) = cell.lock.withLock {
      let number = machine.loadAsked(in: turn)
      if let done { loadRequests.append((number, done)) }
      return (number, self.hasStatus)
    }
    if hasStatus { updateProgress(of: cell) }
    connection.load(.cell(self, .load(number)), isFirst: isFirst)
    if cell.lock.withLock({ machine.loadReturned() }) { follow() }
  }

  /// Reads a newer value from the store, unless the value has a change of this turn.
  func freshen(_ cell: Cell, _ reason: FreshenReason) {
    let scheduler = Scheduler.current
    scheduler.checkRead(of: cell)
    let (next, revision) = cell.lock.withLock {
      let isOtherKind = reason.isOtherKind(than: unsavedChanges)
      return (machine.willChange(on: scheduler.number, isOtherKind: isOtherKind), cell.revision)
    }
    switch next {
    case .nothing: break
    case .read: read(revision, reason)
    case .saveFirst: cell.saveChanges()
    }
  }

  /// Reads the store of a user's key, which reports a change: now, or after the save.
  func refresh(_ cell: Cell) {
    let scheduler = Scheduler.current
    scheduler.checkRead(of: cell)
    let revision: UInt32? = cell.lock.withLock {
      machine.readAsked(on: scheduler.number, isReport: true) ? cell.revision : nil
    }
    if let revision { read(revision, .event) }
  }

  /// Reads a stored value that could not be shown before. A user's key is asked for a load: it may
  /// have no `refresh`, or count that value as loaded.
  func readAgain(_ cell: Cell, _ revision: UInt32) {
    guard machine.rules.holdsBack else { return read(revision, .event) }
    Scheduler.current.with(nil) { load(cell, isFirst: false) }
  }

  /// Lets the connection deliver a newer value than the one with a revision.
  private func read(_ revision: UInt32, _ reason: FreshenReason) {
    Scheduler.current.with(nil) {
      connection.freshen(.cell(self, .read(revision)), reason)
    }
  }

  /// Handles the answer to a load.
  func didLoad(_ outcome: Outcome, _ number: UInt32) -> Delivery {
    let cell = self.cell
    if let cell { Scheduler.current.checkRequest(of: cell) }
    let arrival = receive(outcome, .load(number))
    let done = cell?.lock.withLock { takeLoadRequest(number) }
    let result: Result<Bool, AnyError> =
      switch outcome {
      case .failure(let error): .failure(error)
      case .value: .success(true)
      // If the default did not replace the value, there is an unsaved change, and so a value.
      case .nothing: .success(arrival?.verdict.isKept ?? false)
      }
    return Delivery(revision: arrival?.taken) { done?(result) }
  }

  /// The cell's lock is held.
  private func takeLoadRequest(_ number: UInt32) -> LoadCompletion? {
    guard let index = loadRequests.firstIndex(where: { $0.number == number }) else { return nil }
    return loadRequests.remove(at: index).done
  }

  /// Handles a value or a failure from the connection.
  /// - Returns: The effect of the value; nil for a failure, or without a cell.
  @discardableResult
  func receive(_ outcome: Outcome, _ source: PersistenceMachine.Source) -> Cell.Arrival? {
    guard let cell else { return nil }
    return batch {
      switch outcome {
      case .value(let value):
        return didArrive(cell.replace(by: value, isDefault: false, source, self), at: cell)
      case .nothing: return didArrive(cell.replaceByDefault(source, self), at: cell)
      case .failure(let error):
        let verdict = cell.lock.withLock { machine.failed(source, in: Scheduler.current.turn) }
        if verdict == .report { setLoadError(error) }
        updateProgress(of: cell)
        return nil
      }
    }
  }

  /// Handles the difference of a stored array from the value.
  /// - Parameter revision: The revision of the value that the patch was made for.
  /// - Returns: The value's new revision, nil if the value was not changed.
  func receive(_ patch: any _ValuePatch, madeFor revision: UInt32) -> UInt32? {
    guard let cell else { return nil }
    return batch {
      didArrive(cell.replaceElements(by: patch, madeFor: revision, self), at: cell).taken
    }
  }

  /// Updates the status after a value has arrived.
  @inline(never)
  private func didArrive(_ arrival: Cell.Arrival, at cell: Cell) -> Cell.Arrival {
    if case .takeOver = arrival.verdict {
      setSaveError(nil)
      retainWhileSaving(cell)
    }
    if let loss = loss(in: arrival) {
      cell.lock.withLock { machine.changeLost(in: Scheduler.current.turn) }
      setLoadError(loss)
    } else if arrival.clearsLoadError {
      setLoadError(nil)
    }
    if cell.lock.withLock({ hasStatus }) { updateProgress(of: cell) }
    return arrival
  }

  /// Returns the error for the change that an arrived value has replaced; nil if nothing is lost.
  private func loss(in arrival: Cell.Arrival) -> AnyError? {
    guard let lost = arrival.lost, case .takeOver(let loss) = arrival.verdict else { return nil }
    return connection.loss(
      of: lost, loss, for: .cell(self, .yield), isRemoved: arrival.isDefault)
  }
}
