import SharingCore

/// How far a value over a revision store is stored.
public struct CommitStatus: Equatable, Sendable {
  /// The number of what is stored, as far as this program has heard; 0 where that is nothing.
  public let revision: Int64
  /// How many turns have changed the value and are not stored yet, also those of programs that have
  /// ended.
  public let pendingCount: Int
}

extension RevisionKey {
  /// How far the value of this key is stored now. Who observes the value's `isSaving` hears when
  /// that may be something else.
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
        pendingCount: steps.count + committer.journaledCount(of: name))
    }
  }
}
