import SharingCore
import WasiStorage

/// The progress of a value's commits to a revision store.
public struct CommitStatus: Equatable, Sendable {
  /// The latest stored revision that this program has received; 0 if nothing is stored.
  public let revision: Int64
  /// The number of turns that changed the value and are not stored yet, including turns of ended
  /// programs.
  public let pendingCount: Int
}

extension RevisionKey {
  /// The current progress of this key's commits. Observers of the value's `isSaving` run when it
  /// may have changed.
  ///
  /// ```swift
  /// let key: RevisionKey<Int> = .indexedDB("tally")
  /// print("\(key.commitStatus.pendingCount) to go")
  /// ```
  public var commitStatus: CommitStatus { value.status }
}

extension CommittedValue {
  var status: CommitStatus {
    committer.lock.withLock {
      CommitStatus(
        revision: base?.revision ?? 0,
        pendingCount: steps.count + committer.recovery.count(of: name))
    }
  }
}
