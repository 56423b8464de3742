// What a connection is asked for, and its way back to the cell.

/// A request for what is stored. A class, as ``SaveRequest``.
package final class LoadRequest: @unchecked Sendable {
  /// Who hears the answer.
  let receiver: Receiver
  /// Whether the value is loaded for the first time.
  package let isFirst: Bool

  enum Receiver {
    case cell(
      CellPersistence, number: UInt32, Cell.ChangeSource, done: CellPersistence.LoadCompletion)
    case continuation(AnyContinuation)
  }

  init(_ receiver: Receiver, isFirst: Bool = false) {
    self.receiver = receiver
    self.isFirst = isFirst
  }

  /// A request of a key that is part of another one.
  package convenience init<Value>(_ continuation: LoadContinuation<Value>) {
    self.init(.continuation(continuation.continuation))
  }

  /// Whose request it is, as far as that is known.
  var persistence: CellPersistence? {
    if case .cell(let persistence, _, _, _) = receiver { persistence } else { nil }
  }

  /// Calls `body` with the address of the default, valid during the call, if the value is loaded
  /// for the first time.
  package func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    if isFirst { persistence?.cell?.withInitialValue(body) }
  }

  /// Answers the request.
  /// - Returns: The value's revision from then on, 0 where that is not known; nil when it was not
  ///   taken over.
  @discardableResult
  package func answer(_ outcome: Outcome) -> UInt32? {
    switch receiver {
    case .cell(let persistence, let number, let asked, let done):
      return persistence.didLoad(outcome, number, asked, done)
    case .continuation(let continuation):
      continuation.resume(outcome)
      return 0
    }
  }
}

/// A request to store a value. A class, since whoever keeps one then copies one word.
package final class SaveRequest: Sendable {
  /// Why it is stored.
  package let context: SaveContext
  let cell: Cell
  let number: UInt32
  let waiting: [CellPersistence.Completion]
  /// A copy of the value, of a request that is kept, and the revision that it had.
  private let snapshot: ValueSnapshot?

  init(
    _ context: SaveContext, _ cell: Cell, number: UInt32, waiting: [CellPersistence.Completion],
    snapshot: ValueSnapshot? = nil
  ) {
    self.context = context
    self.cell = cell
    self.number = number
    self.waiting = waiting
    self.snapshot = snapshot
  }

  /// A request of a key that is part of another one.
  package convenience init<Value>(
    _ value: Value, _ context: SaveContext, _ continuation: SaveContinuation
  ) {
    self.init(
      context, TypedCell(value), number: 0, waiting: [{ continuation.resume(with: $0) }])
  }

  /// The request with a copy of the value, to be kept: the value may change meanwhile.
  package func withSnapshot() -> SaveRequest {
    SaveRequest(
      context, cell, number: number, waiting: waiting, snapshot: cell.snapshot())
  }

  /// Calls `body` once with the address of the value, and with the elements of an array that have
  /// changed.
  package func withValue(_ body: (_ value: UnsafeRawPointer, _ changes: ChangesToSave) -> Void) {
    guard let snapshot else { return cell.withValueToSave(body) }
    let changes = cell.lock.withLock { cell.takeChanges(ofRevision: snapshot.revision) }
    snapshot.copy.withAddress(.reading) { body($0, changes) }
  }

  /// Answers a request that was kept.
  package func answer(_ error: AnyError?) {
    if let persistence = cell.persistence { persistence.didSave(self, error) } else { tell(error) }
  }

  /// Tells of a failure after which it is tried again: whoever waits hears of it, and the value is
  /// not saved yet.
  /// - Returns: The request, to be answered when it is known.
  package func postponed(_ error: AnyError) -> SaveRequest {
    cell.persistence?.setSaveError(error)
    tell(error)
    return SaveRequest(context, cell, number: number, waiting: [])
  }

  /// Tells whoever has asked for the save.
  func tell(_ error: AnyError?) {
    for done in waiting { done(error.map { .failure($0) } ?? .success(())) }
  }
}

/// A connection's way back to its value.
package enum CellLink: @unchecked Sendable {
  /// To a cell whose value had that revision when the connection was asked; nil for what it tells
  /// by itself.
  case cell(CellPersistence, revision: UInt32?)
  case closures(@Sendable (Outcome) -> Void, onLoading: (@Sendable (Bool) -> Void)?)

  /// Calls `body` with the address of the default, valid during the call, unless the key is part of
  /// another one.
  func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    if case .cell(let persistence, _) = self { persistence.cell?.withInitialValue(body) }
  }

  /// Hands over what the store holds.
  /// - Returns: The value's revision from then on, 0 where that is not known; nil when it was not
  ///   taken over, as while the value has a change that is not saved.
  @discardableResult
  package func receive(_ outcome: Outcome) -> UInt32? {
    switch self {
    case .cell(let persistence, let revision):
      return persistence.receive(outcome, revision.map { .refresh($0) } ?? .never)
    case .closures(let callback, _):
      callback(outcome)
      return 0
    }
  }

  /// A copy of the value, to be brought to what the store holds and given to ``receive(_:_:)``; nil
  /// where the value is not to be had, or has been changed.
  package func snapshot() -> ValueSnapshot? {
    guard case .cell(let persistence, let revision?) = self else { return nil }
    let snapshot = persistence.cell?.snapshot()
    return snapshot?.revision == revision ? snapshot : nil
  }

  /// Hands over a copy that was brought to what the store holds, of which only some elements
  /// differ.
  /// - Returns: The value's revision from then on; nil when it was not taken over.
  package func receive(_ snapshot: ValueSnapshot, _ changes: ElementChanges) -> UInt32? {
    guard case .cell(let persistence, _) = self else { return nil }
    let outcome = Outcome.value(snapshot.address)
    if case .anything = changes {
      return persistence.receive(outcome, .refresh(snapshot.revision))
    }
    return persistence.receive(outcome, .refresh(snapshot.revision)) { cell, former, scheduler in
      cell.markObserversStale(of: changes, former: former, in: scheduler)
    }
  }

  /// Calls `body` with the link to the value as it is now, to hand over what is new; not while the
  /// value has a change that is not saved, which another thread may be about to do, nor where
  /// nobody refers to it. What `body` reads is not observed.
  /// - Returns: Whether it has called it.
  @discardableResult
  package func whenSaved(_ body: (CellLink) -> Void) -> Bool {
    guard case .cell(let persistence, _) = self else {
      body(self)
      return true
    }
    guard let cell = persistence.cell else { return false }
    let scheduler = Scheduler.current
    let revision: UInt32? = cell.lock.withLock {
      if let savingThread = persistence.savingThread, savingThread != scheduler.thread {
        persistence.hasMissedFreshening = true
        return nil
      }
      return cell.isUnsaved ? nil : cell.revision
    }
    guard let revision else { return false }
    scheduler.with(nil) { body(.cell(persistence, revision: revision)) }
    return true
  }

  /// Begins a save that nobody has asked for, of what was changed by a program that has ended.
  /// - Returns: The request, to be answered; nil where the key is part of another one.
  package func beginSave() -> SaveRequest? {
    guard case .cell(let persistence, _) = self, let cell = persistence.cell else { return nil }
    let number = cell.lock.withLock { persistence.saves.begin() }
    persistence.tellProgress()
    return SaveRequest(.didSet, cell, number: number, waiting: [])
  }

  /// Tells that loading begins, or ends.
  func setLoading(_ isLoading: Bool) {
    switch self {
    case .cell(let persistence, nil):
      if persistence.cell != nil { persistence.setLoadingByItself(isLoading) }
    case .cell: break
    case .closures(_, let onLoading): onLoading?(isLoading)
    }
  }
}
