import SharingCore
import WasiStorage

/// Steps of one client that are stored together.
///
/// A client numbers its steps from 1 and commits them in order. With each commit, the store keeps
/// the number of the client's last step. So a commit is stored once, even if its answer was lost
/// and the client repeats it.
public struct Commit: Sendable {
  /// The unique name of the program that made the steps.
  public let client: UTF8Text
  /// The number of the step before the first one.
  public let after: Int
  /// The number of the last step.
  public let through: Int
  /// The values to store.
  public let entries: [CommitEntry]

  /// Creates a commit from steps of one client.
  package init(client: UTF8Text, after: Int, through: Int, entries: [CommitEntry]) {
    self.client = client
    self.after = after
    self.through = through
    self.entries = entries
  }

  /// Returns the commit with other entries.
  func with(_ entries: [CommitEntry]) -> Commit {
    Commit(client: client, after: after, through: through, entries: entries)
  }

  /// Returns whether the commit was made from the stored revisions.
  /// - Parameters:
  ///   - stored: The stored revisions of the entries' keys, in the same order.
  ///   - applied: The number of the client's last stored step; nil if the store does not have the
  ///     client.
  package func fits(_ stored: [StoredRevision], applied: Int?) -> Bool {
    guard applied ?? after == after else { return false }
    for (entry, stored) in zip(entries, stored) {
      if let expected = entry.expected, expected != stored.revision { return false }
    }
    return true
  }
}

/// The answer to a commit.
public enum CommitAnswer: Sendable {
  /// Stored. The revisions are the current ones of its keys: those of this commit or, if it was
  /// stored before, later ones. With them comes the client's last stored step.
  case accepted([StoredRevision], applied: Int)
  /// Not stored. The answer has the current revisions of its keys and the client's last stored
  /// step.
  case conflict([StoredRevision], applied: Int)
  /// Probably not stored: the store failed.
  case failed(StorageError)
}
