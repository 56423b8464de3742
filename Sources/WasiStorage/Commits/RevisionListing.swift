import SharingCore

/// What a revision store tells of the keys that begin with a prefix.
public enum RevisionListing: Sendable {
  /// All that is stored there now: what was there and is not among it is gone.
  case all([StoredRevision])
  /// What has changed since. What has no bytes any more is gone.
  case changed([StoredRevision])
  /// It cannot be told.
  case failed(StorageError)
}

extension KeyName {
  /// Whether its first bytes are those of a prefix.
  func begins(with prefix: KeyName) -> Bool { bytes.starts(with: prefix.bytes) }

  /// Whether what is kept under it is a copy of what was stored under another one.
  var isCopy: Bool { ends(with: ".replaced") || ends(with: ".corrupt") }

  private func ends(with suffix: StaticString) -> Bool {
    bytes.reversed().starts(with: UTF8Text(stringLiteral: suffix).bytes.reversed())
  }
}
