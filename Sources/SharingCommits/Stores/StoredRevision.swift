import SharingCore
import WasiStorage

/// The stored value of a key.
public struct StoredRevision: Equatable, Sendable {
  /// The name.
  public let key: KeyName
  /// The revision number; 0 if nothing was ever stored.
  public let revision: Int64
  /// The bytes; nil if there are none, or if they were removed.
  public let bytes: [UInt8]?

  /// Creates a stored value.
  public init(key: KeyName, revision: Int64 = 0, bytes: [UInt8]? = nil) {
    self.key = key
    self.revision = revision
    self.bytes = bytes
  }

  /// Returns whether both are the same revision of one key, with the same bytes.
  public static func == (left: StoredRevision, right: StoredRevision) -> Bool {
    left.revision == right.revision && left.key == right.key
      && ItemContents(left.bytes) == ItemContents(right.bytes)
  }
}

/// Stored values at one moment.
public struct StoredSnapshot: Sendable {
  /// The stored values of the requested keys.
  public let revisions: [StoredRevision]
  /// The number of the client's last stored step; nil if the store does not have the client. If
  /// each record keeps its own clients' steps, it is the last step under these keys.
  public let applied: Int?

  /// Creates a snapshot.
  public init(_ revisions: [StoredRevision], applied: Int?) {
    self.revisions = revisions
    self.applied = applied
  }
}

/// A new value for a key, as part of a commit.
public struct CommitEntry: Sendable {
  /// The name.
  public let key: KeyName
  /// The revision that it was made from; nil if any will do, -1 if it is unknown.
  public let expected: Int64?
  /// The bytes; nil to remove the stored ones.
  public let bytes: [UInt8]?

  /// Creates an entry.
  package init(key: KeyName, expected: Int64?, bytes: [UInt8]?) {
    self.key = key
    self.expected = expected
    self.bytes = bytes
  }
}
