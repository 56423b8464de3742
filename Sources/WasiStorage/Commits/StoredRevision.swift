import SharingCore

/// What is stored under a key.
public struct StoredRevision: Equatable, Sendable {
  /// The name.
  public let key: KeyName
  /// Its number; 0 where nothing has ever been stored.
  public let revision: Int64
  /// The bytes; nil where there are none, or no more.
  public let bytes: [UInt8]?

  /// What is stored under a key.
  public init(key: KeyName, revision: Int64 = 0, bytes: [UInt8]? = nil) {
    self.key = key
    self.revision = revision
    self.bytes = bytes
  }

  /// Whether both are the same revision of one key.
  public static func == (left: StoredRevision, right: StoredRevision) -> Bool {
    left.revision == right.revision && left.key == right.key
      && LastKnown(left.bytes) == LastKnown(right.bytes)
  }
}

/// What is stored at one moment.
public struct StoredSnapshot: Sendable {
  /// What is stored under the keys that were asked for.
  public let revisions: [StoredRevision]
  /// The number of the client's last step: of all that it has stored, or of what it has stored
  /// under these keys, where each record has its own clients' steps in it. Nil for a client that is
  /// not known there.
  public let applied: Int?

  /// What is stored at one moment.
  public init(_ revisions: [StoredRevision], applied: Int?) {
    self.revisions = revisions
    self.applied = applied
  }
}

/// What a commit stores under a key.
public struct CommitEntry: Sendable {
  /// The name.
  public let key: KeyName
  /// The revision that it was made from; nil where any will do, -1 where it is not known.
  public let expected: Int64?
  /// The bytes; nil removes those that are stored.
  public let bytes: [UInt8]?

  /// What a commit stores under a key.
  public init(key: KeyName, expected: Int64?, bytes: [UInt8]?) {
    self.key = key
    self.expected = expected
    self.bytes = bytes
  }
}
