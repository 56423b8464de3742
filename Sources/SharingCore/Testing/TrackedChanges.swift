/// What a ``SharedChangeTracker`` knows: the values that were changed in its scopes and have not
/// been asserted.
final class TrackedChanges: ChangeRecorder, @unchecked Sendable {
  /// Where failures go.
  let report: @Sendable (SharingIssue) -> Void
  private let lock = Lock()
  private var openScopes = 0
  /// In the order of their first changes.
  private var cells: [TrackedCell] = []
  private var others: [any TrackedObject] = []

  init(report: @escaping @Sendable (SharingIssue) -> Void) {
    self.report = report
  }

  deinit {
    reportUnasserted()
  }

  /// What is open now, if anything is.
  static var inScope: TrackedChanges? {
    // There is no other kind of recorder.
    ChangeRecorder.current.map { unsafeDowncast($0, to: TrackedChanges.self) }
  }

  override func willChange(_ part: Reference, at site: CallSite) {
    if part.cell.isStatus { return }
    let path = Path(to: part.storedPart)
    lock.withLock {
      // A task that outlives the scope still has this recorder.
      guard openScopes > 0 else { return }
      let known = known(part.cell)
      let tracked = known ?? TrackedCell(part.cell)
      if known == nil { cells.append(tracked) }
      tracked.record(path, at: site)
    }
  }

  /// Counts the scopes that are open.
  func scopeOpens(_ count: Int) {
    lock.withLock { openScopes += count }
  }

  /// A cell that has changes, and the place of the first one.
  func tracked(_ cell: Cell) -> (cell: TrackedCell, firstSite: CallSite?)? {
    lock.withLock { known(cell).map { ($0, $0.firstSite) } }
  }

  /// Has an object asserted too.
  func include(_ object: any TrackedObject) {
    lock.withLock {
      if !others.contains(where: { $0 === object }) { others.append(object) }
    }
  }

  /// A part of the value is now what it is in the copy: it starts from there.
  func settle(_ part: Reference, of tracked: TrackedCell) {
    let path = Path(to: part)
    let isUnchanged = tracked.isUnchanged  // foreign code, outside the lock
    lock.withLock {
      tracked.forget(path)
      if isUnchanged || tracked.firstSite == nil { cells.removeAll { $0 === tracked } }
    }
  }

  var hasUnasserted: Bool {
    let (cells, others) = lock.withLock { (self.cells, self.others) }
    return cells.contains { !$0.isUnchanged } || others.contains { $0.hasUnasserted }
  }

  /// Forgets all changes.
  func reset() {
    let (_, others) = take()
    for object in others { object.skipUnasserted() }
  }

  /// Reports each value that has not been asserted, and forgets it.
  func reportUnasserted() {
    let (cells, others) = take()
    for tracked in cells where !tracked.isUnchanged { report(tracked.unassertedIssue) }
    for object in others where object.hasUnasserted {
      report(object.unassertedIssue)
      object.skipUnasserted()
    }
  }

  private func take() -> ([TrackedCell], [any TrackedObject]) {
    lock.withLock {
      defer {
        cells = []
        others = []
      }
      return (cells, others)
    }
  }

  /// The lock is held.
  private func known(_ cell: Cell) -> TrackedCell? {
    cells.first { $0.cell === cell }
  }
}

/// Something else than a shared value whose changes have to be asserted, such as a store.
package protocol TrackedObject: AnyObject, Sendable {
  /// Whether something has not been asserted.
  var hasUnasserted: Bool { get }
  /// What has not been asserted.
  var unassertedIssue: SharingIssue { get }
  /// Forgets what has not been asserted.
  func skipUnasserted()
}
