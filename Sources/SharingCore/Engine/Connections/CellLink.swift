/// A connection's way back to its value.
package enum CellLink: @unchecked Sendable {
  /// To a cell whose value had that revision when the connection was asked; nil for what it tells
  /// by itself.
  case cell(CellPersistence, revision: UInt32?)
  case closures(@Sendable (Outcome) -> Void, onLoading: (@Sendable (Bool) -> Void)?)

  /// Calls `body` with the address of the default, valid during the call, unless somebody has asked
  /// for the value, or the key is part of another one.
  func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    guard case .cell(let persistence, _) = self, !persistence.isAskedFor else { return }
    persistence.cell?.withInitialValue(body)
  }

  /// Hands over what the store holds.
  /// - Returns: The value's revision from then on, 0 where that is not known; nil when it was not
  ///   taken over, as while the value has a change that is not saved.
  @discardableResult
  package func receive(_ outcome: Outcome) -> UInt32? {
    switch self {
    case .cell(let persistence, let revision):
      let asked: Cell.ChangeSource = revision.map { .refresh($0) } ?? .never
      return persistence.receive(outcome, asked, Cell.takeOver)
    case .closures(let callback, _):
      callback(outcome)
      return 0
    }
  }

  /// A copy of the value; nil where the value is not to be had, or has been changed.
  package func snapshot() -> ValueSnapshot? {
    guard case .cell(let persistence, let revision?) = self else { return nil }
    let snapshot = persistence.cell?.snapshot()
    return snapshot?.revision == revision ? snapshot : nil
  }

  /// Hands over what the store holds, of which only some elements differ.
  /// - Parameter change: Changes the value, which is at the address that it is given. In place: in
  ///   a copy, each of thousands of elements would be retained.
  /// - Returns: The value's revision from then on; nil when it was not taken over.
  package func receive(
    _ changes: ElementChanges, _ change: (UnsafeMutableRawPointer) -> Void
  ) -> UInt32? {
    guard case .cell(let persistence, let revision?) = self,
      let address = persistence.cell?.address
    else { return nil }
    return persistence.receive(.value(address), .refresh(revision)) { cell, address, scheduler in
      cell.change(changes, in: scheduler) { change(address) }
    }
  }

  /// Calls `body` with the link to the value as it is now, to hand over what is new; not while the
  /// value has a change that is not saved, nor while another thread saves it: then the store is
  /// looked at after the save. Nor where nobody refers to the value. What `body` reads is not
  /// observed.
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
      let isSavedElsewhere = persistence.savingThread.map { $0 != scheduler.thread } ?? false
      guard cell.isUnsaved || isSavedElsewhere else { return cell.revision }
      persistence.hasMissedFreshening = true
      return nil
    }
    guard let revision else { return false }
    scheduler.with(nil) { body(.cell(persistence, revision: revision)) }
    return true
  }

  /// Has the value saved when the turn ends: its save was given up for a stored value that was not
  /// taken over.
  package func saveAgain() {
    guard case .cell(let persistence, _) = self, let cell = persistence.cell
    else { return }
    let scheduler = Scheduler.current
    cell.lock.withLock { cell.markUnsaved(persistence, changed: nil, in: scheduler) }
  }

  /// Begins a save that nobody has asked for, of what was changed by a program that has ended.
  /// - Returns: The request, to be answered; nil where the key is part of another one.
  package func beginSave() -> SaveRequest? {
    guard case .cell(let persistence, _) = self, let cell = persistence.cell
    else { return nil }
    let number = cell.lock.withLock { persistence.saves.begin() }
    persistence.tellProgress()
    return SaveRequest(.didSet, cell, number: number, waiting: [])
  }

  /// Tells that the value is what the store holds, after a failure that was told.
  package func endFailure() {
    if case .cell(let persistence, _) = self { persistence.setLoadError(nil) }
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
