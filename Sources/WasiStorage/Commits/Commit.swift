import SharingCore

/// Steps of one client that are stored together.
///
/// A client numbers its steps from 1, and commits them in order. The store keeps the number of each
/// client's last step with what it stores: so a commit whose answer was lost is stored once.
public struct Commit: Sendable {
  /// The program that has made the steps, by a name of its own.
  public let client: UTF8Text
  /// The number of the step before the first one.
  public let after: Int
  /// The number of the last one.
  public let through: Int
  /// What is stored.
  public let entries: [CommitEntry]

  /// Steps of one client.
  public init(client: UTF8Text, after: Int, through: Int, entries: [CommitEntry]) {
    self.client = client
    self.after = after
    self.through = through
    self.entries = entries
  }

  /// Whether what is stored is what the commit was made from.
  /// - Parameters:
  ///   - stored: What is stored under the entries' keys, in their order.
  ///   - applied: The number of the client's last step in the store; nil for a client that the
  ///     store does not know.
  public func fits(_ stored: [StoredRevision], applied: Int?) -> Bool {
    guard applied ?? after == after else { return false }
    for (entry, stored) in zip(entries, stored) {
      if let expected = entry.expected, expected != stored.revision { return false }
    }
    return true
  }
}

/// How a commit went.
public enum CommitAnswer: Sendable {
  /// It is stored: what is stored now under its keys, by it or, if it had been before, since; and
  /// the client's last step in that.
  case accepted([StoredRevision], applied: Int)
  /// It is not stored: what is stored under its keys, and the client's last step there.
  case conflict([StoredRevision], applied: Int)
  /// It is not stored, as far as is known.
  case failed(StorageError)
}
