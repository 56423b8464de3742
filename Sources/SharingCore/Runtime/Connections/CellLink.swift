/// The link from a connection to its value.
package enum CellLink: @unchecked Sendable {
  /// A link to a cell. The revision is that of the value at the request, nil if the connection
  /// delivers without a request.
  case cell(CellPersistence, revision: UInt32?)
  case closures(SubscriberClosures)

  /// Whether both links lead to one cell, or to the closures of one subscriber.
  package func isSame(as other: CellLink) -> Bool {
    switch (self, other) {
    case (.cell(let one, _), .cell(let other, _)): one === other
    case (.closures(let one), .closures(let other)): one === other
    default: false
    }
  }

  /// Calls `body` with the address of the default, valid during the call. Does nothing if the
  /// program requested the value, or if the key is part of another one.
  func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    guard case .cell(let persistence, _) = self, !persistence.isAskedFor else { return }
    withDefault(body)
  }

  /// Calls `body` with the address of the default, valid during the call. Does nothing if the key
  /// is part of another one.
  package func withDefault(_ body: (UnsafeMutableRawPointer) -> Void) {
    if case .cell(let persistence, _) = self { persistence.cell?.withInitialValue(body) }
  }

  /// Whether the value is gone. No lock of the connection is held: this may release the value.
  package var isGone: Bool {
    if case .cell(let persistence, _) = self { persistence.cell == nil } else { false }
  }

  /// Delivers the stored value.
  /// - Returns: The value's new revision, 0 if unknown; nil if the value was not replaced, for
  ///   example because it has an unsaved change.
  @discardableResult
  package func receive(_ outcome: Outcome) -> UInt32? { deliver(outcome).finish() }

  /// Delivers the stored value, for a connection that holds a lock meanwhile. A closure of the
  /// program receives it in the completion.
  package func deliver(_ outcome: Outcome) -> Delivery {
    switch self {
    case .cell(let persistence, let revision):
      let asked: Cell.ChangeSource = revision.map { .refresh($0) } ?? .never
      return Delivery(revision: persistence.receive(outcome, asked)) {}
    case .closures(let closures):
      return Delivery(revision: 0, complete: closures.onOutcome(outcome))
    }
  }

  /// Returns a copy of the value, nil if the value is gone or changed.
  package func snapshot() -> ValueSnapshot? {
    guard case .cell(let persistence, let revision?) = self else { return nil }
    let snapshot = persistence.cell?.snapshot()
    return snapshot?.revision == revision ? snapshot : nil
  }

  /// Delivers the difference of a stored array from the value. No ``snapshot()`` may exist any
  /// more: the array is changed in place.
  /// - Returns: The value's new revision, nil if the value was not changed.
  package func receive(_ patch: any _ValuePatch) -> UInt32? {
    guard case .cell(let persistence, let revision?) = self else { return nil }
    return persistence.receive(patch, madeFor: revision)
  }

  /// Calls `body` with a link to the current value, to deliver a newer one. Does nothing if the
  /// value has an unsaved change or another thread is saving it: then the store is read after the
  /// save. Also does nothing if the value is gone. The reads of `body` are not observed.
  /// - Returns: Whether it called `body`.
  @discardableResult
  package func whenSaved(_ body: (CellLink) -> Void) -> Bool {
    guard case .cell(let persistence, _) = self else {
      body(self)
      return true
    }
    guard let cell = persistence.cell else { return false }
    let scheduler = Scheduler.current
    scheduler.checkRead(of: cell)
    let revision: UInt32? = cell.lock.withLock {
      let isSavedElsewhere = persistence.savingThread.map { $0 != scheduler.thread } ?? false
      guard cell.isUnsaved || isSavedElsewhere else { return cell.revision }
      persistence.hasSkippedRead = true
      return nil
    }
    guard let revision else { return false }
    scheduler.with(nil) { body(.cell(persistence, revision: revision)) }
    return true
  }

  /// Schedules a save at the end of the turn: an earlier save was abandoned for a stored value
  /// that then did not replace the local one.
  package func saveAgain() {
    guard case .cell(let persistence, _) = self, let cell = persistence.cell
    else { return }
    let scheduler = Scheduler.current
    cell.lock.withLock { cell.markUnsaved(persistence, changed: nil, in: scheduler) }
  }

  /// Begins a save without a request by the program, for the changes of a program that has ended.
  /// - Returns: The request, to be answered; nil if the key is part of another one.
  package func beginSave() -> SaveRequest? {
    guard case .cell(let persistence, _) = self, let cell = persistence.cell
    else { return nil }
    let number = cell.lock.withLock { persistence.saves.begin() }
    persistence.updateProgress()
    return SaveRequest(.didSet, cell, number: number, waiting: [])
  }

  /// Clears `loadError`: after a reported failure, the value equals the stored one again.
  package func endFailure() {
    if case .cell(let persistence, _) = self { persistence.setLoadError(nil) }
  }

  /// Sets `isLoading` for a load that the key reports by itself.
  func setLoading(_ isLoading: Bool) {
    switch self {
    case .cell(let persistence, nil):
      if persistence.cell != nil { persistence.setLoadingByItself(isLoading) }
    case .cell: break
    case .closures(let closures): closures.onLoading?(isLoading)
    }
  }
}

/// The closures of a subscriber. A class, so that links to them can be compared.
package final class SubscriberClosures: Sendable {
  let onOutcome: OutcomeCallback
  let onLoading: (@Sendable (Bool) -> Void)?

  init(_ onOutcome: @escaping OutcomeCallback, onLoading: (@Sendable (Bool) -> Void)?) {
    self.onOutcome = onOutcome
    self.onLoading = onLoading
  }
}
