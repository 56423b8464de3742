/// A shared value that was changed in a tracked scope: its value before, its changes and their
/// places.
final class TrackedCell: @unchecked Sendable {
  let cell: Cell
  /// A copy of the value before the changes. An asserted part has its value at the last assertion.
  let before: Cell
  /// The size of the value in place, in bytes.
  let byteCount: Int
  /// The unasserted changes, in order; guarded by the tracker's lock.
  private var changes: [Change] = []

  private struct Change {
    let path: Path
    let site: CallSite
  }

  init(_ cell: Cell) {
    self.cell = cell
    before = cell.lock.withLock { cell.copy() }
    byteCount = cell.byteCount
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
