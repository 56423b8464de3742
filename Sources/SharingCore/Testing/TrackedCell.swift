/// A shared value that has been changed in a tracked scope: what it was before, and what of it was
/// changed where.
final class TrackedCell: @unchecked Sendable {
  let cell: Cell
  /// A copy of the value: what it was before, or when a part of it was last asserted, that part.
  let before: Cell
  /// How many bytes the value has in place.
  let byteCount: Int
  /// What has been changed and not been asserted, in order; guarded by the tracker's lock.
  private var changes: [Change] = []

  private struct Change {
    let path: Path
    let site: CallSite
  }

  init(_ cell: Cell) {
    self.cell = cell
    (before, byteCount) = cell.copy()
  }

  /// The place of the first change that has not been asserted.
  var firstSite: CallSite? { changes.first?.site }

  /// Notes that a part is about to be changed.
  func record(_ path: Path, at site: CallSite) {
    guard !changes.contains(where: { $0.path.contains(path) }) else { return }
    changes.append(Change(path: path, site: site))
  }

  /// Forgets the changes of a part.
  func forget(_ path: Path) {
    changes.removeAll { path.contains($0.path) }
  }
}
