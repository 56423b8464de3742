import SharingCore
import WasiStorage

/// The copies of replaced and corrupt values that a committer knows. They tell which of them are
/// new. Guarded by the committer's lock.
struct KnownCopies {
  /// The latest copies that other programs made.
  private var others = CommitRecords()
  /// The latest copies of this program, without bytes.
  private var own: [StoredRevision] = []

  /// Records a copy that this program has made.
  mutating func setOwn(_ copy: StoredRevision) {
    own.append(StoredRevision(key: copy.key, revision: copy.revision))
    if own.count > 16 { own.remove(at: 0) }
  }

  /// Records a copy.
  /// - Returns: Whether another program made the copy and it is new.
  mutating func set(_ copy: StoredRevision) -> Bool {
    if others[copy.key].revision >= copy.revision { return false }
    if own.contains(where: { $0.key == copy.key && $0.revision == copy.revision }) { return false }
    others.set(copy)
    return true
  }
}
