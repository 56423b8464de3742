/// Where the outcome of a request to a connection goes, or a value that the connection delivers by
/// itself.
package enum Receiver: @unchecked Sendable {
  /// A value in memory. The source says what the outcome answers.
  case cell(CellPersistence, PersistenceMachine.Source)
  /// A key that is built on the connection's key and waits for one outcome.
  case continuation(AnyContinuation)
  /// The closures of a program that follows a key by itself.
  case closures(ReceivingClosures)

  /// Whether both lead to one cell, or to the closures of one program.
  package func isSame(as other: Receiver) -> Bool {
    switch (self, other) {
    case (.cell(let one, _), .cell(let other, _)): one === other
    case (.closures(let one), .closures(let other)): one === other
    default: false
    }
  }

  /// The cell; nil if it is gone, or if the key is part of another one.
  private var cell: Cell? {
    if case .cell(let persistence, _) = self { persistence.cell } else { nil }
  }

  /// Whether the value is gone. No lock of the connection is held: this may release the value.
  package var isGone: Bool {
    if case .cell(let persistence, _) = self { persistence.cell == nil } else { false }
  }

  /// Whether the value has a change that the store may not have.
  package var isAhead: Bool {
    guard case .cell(let persistence, _) = self, let cell = persistence.cell else { return false }
    return cell.lock.withLock { persistence.machine.isAhead }
  }

  // MARK: Defaults and copies

  /// Calls `body` with the address of the default, valid during the call. Does nothing if the key
  /// is part of another one.
  package func withDefault(_ body: (UnsafeMutableRawPointer) -> Void) {
    cell?.withInitialValue(body)
  }

  /// Returns a copy of the default; nil if the key is part of another one.
  package func copyOfDefault() -> ValueSnapshot? {
    guard let cell, cell.isKeyed else { return nil }
    return cell.copyOfDefault()
  }

  /// Returns a copy of the value, nil if the value is gone or changed since the read began.
  package func snapshot() -> ValueSnapshot? {
    guard case .cell(let persistence, .read(let revision)) = self, let cell = persistence.cell
    else { return nil }
    let snapshot = cell.lock.withLock {
      persistence.machine.isAhead ? nil : ValueSnapshot(copy: cell.copy(), revision: cell.revision)
    }
    return snapshot?.revision == revision ? snapshot : nil
  }

  // MARK: Outcomes

  /// Delivers the outcome.
  /// - Returns: The value's new revision, 0 if unknown; nil if the value was not replaced, for
  ///   example because it has an unsaved change.
  @discardableResult
  package func receive(_ outcome: Outcome) -> UInt32? { deliver(outcome).finish() }

  /// Answers a save: with nil, or with the error.
  package func answer(_ error: AnyError?) {
    receive(error.map { .failure($0) } ?? .nothing)
  }

  /// Delivers the outcome, for a connection that holds a lock meanwhile. Closures of the program
  /// receive it in the completion.
  package func deliver(_ outcome: Outcome) -> Delivery {
    switch self {
    case .cell(let persistence, .load(let number)): persistence.didLoad(outcome, number)
    case .cell(let persistence, .save(let number)): persistence.didSave(outcome.failure, number)
    case .cell(let persistence, let source):
      Delivery(revision: persistence.receive(outcome, source)?.taken) {}
    case .continuation(let continuation): continuation.take(outcome)
    case .closures(let closures):
      Delivery(revision: 0, complete: closures.onOutcome(outcome))
    }
  }

  /// Delivers the difference of a stored array from the value. No ``snapshot()`` may exist any
  /// more: the array is changed in place.
  /// - Returns: The value's new revision, nil if the value was not changed.
  package func receive(_ patch: any _ValuePatch) -> UInt32? {
    guard case .cell(let persistence, .read(let revision)) = self else { return nil }
    return persistence.receive(patch, madeFor: revision)
  }

  /// Reports a failed attempt that will be retried: sets `saveError` and calls the completions. The
  /// value stays unsaved. A key that is part of another one reports nothing, since it can answer
  /// only once; the other one is saving until then.
  package func postpone(_ error: AnyError) {
    if case .cell(let persistence, .save(let number)) = self {
      persistence.postpone(error, number)
    }
  }

  // MARK: Reports of the connection

  /// Returns the receiver for a newer value that the store reports. Returns nil if the value has a
  /// change of this turn, or another thread saves it: then the store is read after the save. Also
  /// returns nil if the value is gone.
  package func readable() -> Receiver? {
    guard case .cell(let persistence, _) = self else { return self }
    guard let cell = persistence.cell else { return nil }
    let scheduler = Scheduler.current
    scheduler.checkRead(of: cell)
    return cell.lock.withLock {
      guard persistence.machine.readAsked(on: scheduler.number, isReport: false) else { return nil }
      return .cell(persistence, .read(cell.revision))
    }
  }

  /// Reads the store of a user's key, which reports a change: now, or after the save under way.
  /// Does nothing during a refresh.
  func refresh() {
    guard case .cell(let persistence, .yield) = self, let cell = persistence.cell else { return }
    persistence.refresh(cell)
  }

  /// Begins a save without a request by the program, for the changes of a program that has ended.
  /// - Returns: The receiver of its outcome; nil if the key is part of another one.
  package func beginSave() -> Receiver? {
    guard case .cell(let persistence, _) = self, let cell = persistence.cell else { return nil }
    let number = cell.lock.withLock { persistence.machine.saveBegun() }
    persistence.retainWhileSaving(cell)
    persistence.updateProgress(of: cell)
    return .cell(persistence, .save(number))
  }

  /// Clears `loadError`: after a reported failure, the value equals the stored one again.
  package func endFailure() {
    if case .cell(let persistence, _) = self { persistence.setLoadError(nil) }
  }

  /// Sets `isLoading` for a load that the key reports by itself.
  func setLoading(_ isLoading: Bool) {
    switch self {
    case .cell(let persistence, .yield): persistence.setLoadingByItself(isLoading)
    case .cell, .continuation: break
    case .closures(let closures): closures.onLoading?(isLoading)
    }
  }
}

/// The closures of a program that follows a key by itself. A class, so that receivers can be
/// compared.
package final class ReceivingClosures: Sendable {
  let onOutcome: OutcomeCallback
  let onLoading: (@Sendable (Bool) -> Void)?

  init(_ onOutcome: @escaping OutcomeCallback, onLoading: (@Sendable (Bool) -> Void)? = nil) {
    self.onOutcome = onOutcome
    self.onLoading = onLoading
  }
}
