import SharingCore
import WasiStorage

/// A report about the keys of a revision store that begin with a prefix.
public enum RevisionListing: Sendable {
  /// All stored values. A key that an earlier report had and this one lacks is removed.
  case all([StoredRevision])
  /// The values that have changed since. A key without bytes is removed.
  case changed([StoredRevision])
  /// The store cannot list its keys.
  case failed(StorageError)
}

extension KeyName {
  /// Whether the name begins with the bytes of a prefix.
  func begins(with prefix: KeyName) -> Bool { bytes.starts(with: prefix.bytes) }

  /// Whether the name is that of a copy of another key's value.
  var isCopy: Bool { ends(with: ".replaced") || ends(with: ".corrupt") }

  private func ends(with suffix: StaticString) -> Bool {
    bytes.reversed().starts(with: UTF8Text(stringLiteral: suffix).bytes.reversed())
  }
}
