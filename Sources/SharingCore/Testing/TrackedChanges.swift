/// The state of a ``SharedChangeTracker``: the values with unasserted changes in its scopes.
final class TrackedChanges: ChangeRecorder, @unchecked Sendable {
  /// Receives failures.
  let report: @Sendable (SharingIssue) -> Void
  private let lock = Lock()
  private var openScopes = 0
  /// The changed cells, in the order of their first changes.
  private var cells: [TrackedCell] = []
  private var others: [any TrackedObject] = []

  init(report: @escaping @Sendable (SharingIssue) -> Void) {
    self.report = report
  }

  deinit {
    reportUnasserted()
  }

  /// The recorder of the innermost open scope, if any.
  static var inScope: TrackedChanges? {
    // The only subclass of `ChangeRecorder`.
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

  /// Counts the open scopes.
  func scopeOpens(_ count: Int) {
    lock.withLock { openScopes += count }
  }

  /// Returns the record of a cell with changes, and the place of the first one.
  func tracked(_ cell: Cell) -> (cell: TrackedCell, firstSite: CallSite?)? {
    lock.withLock { known(cell).map { ($0, $0.firstSite) } }
  }

  /// Tracks an object, too.
  func include(_ object: any TrackedObject) {
    lock.withLock {
      if !others.contains(where: { $0 === object }) { others.append(object) }
    }
  }

  /// Forgets the changes of a part: its copy now has the current value.
  func forget(_ part: Reference, of tracked: TrackedCell) {
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

  /// Reports each unasserted value and forgets it.
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

  /// Call it with the lock held.
  private func known(_ cell: Cell) -> TrackedCell? {
    cells.first { $0.cell === cell }
  }
}

/// An object other than a shared value that must be asserted, such as a store.
package protocol TrackedObject: AnyObject, Sendable {
  /// Whether there are unasserted changes.
  var hasUnasserted: Bool { get }
  /// The issue that reports the unasserted changes.
  var unassertedIssue: SharingIssue { get }
  /// Forgets the unasserted changes.
  func skipUnasserted()
}

/// A shared value that was changed in a tracked scope: its value before, its changes and their
/// places.
final class TrackedCell: @unchecked Sendable {
  let cell: Cell
  /// A copy of the value before the changes. An asserted part has its value at the last assertion.
  let before: Cell
  /// The unasserted changes, in order; guarded by the tracker's lock.
  private var changes: [Change] = []

  private struct Change {
    let path: Path
    let site: CallSite
  }

  init(_ cell: Cell) {
    self.cell = cell
    before = cell.lock.withLock { cell.copy() }
  }

  /// The place of the first unasserted change.
  var firstSite: CallSite? { changes.first?.site }

  /// Records a change of a part before it is made.
  func record(_ path: Path, at site: CallSite) {
    guard !changes.contains(where: { $0.path.contains(path) }) else { return }
    changes.append(Change(path: path, site: site))
  }

  /// Forgets the changes of a part.
  func forget(_ path: Path) {
    changes.removeAll { path.contains($0.path) }
  }
}

/// Receives each change before it is made. An abstract class, so that a program without a
/// ``SharedChangeTracker`` links nothing of it. With a protocol, the compiler finds the only
/// conforming class and links that: 1,130 bytes (gzip) in a counter.
class ChangeRecorder: @unchecked Sendable {
  /// Called before a part of a shared value changes. The cell's lock is not held.
  func willChange(_ part: Reference, at site: CallSite) {
    fatalError("willChange(_:at:) is overridden")
  }
}
