/// The id of a key of this library. Wrappers of keys with equal ids share one value.
public struct KeyID: Hashable, Sendable {
  let name: KeyName
  private let kind: Kind
  /// The store; nil for a value in memory.
  private let store: ObjectIdentifier?
  /// The version of the stored values; 1 for a coding without versions.
  private let version: Int

  /// The kind of a key. One object may be a store of two kinds.
  package enum Kind: Sendable {
    /// A value in memory.
    case memory
    /// An item of a `KeyValueStore`.
    case item
    /// A value in a `RevisionStore`.
    case revision
  }

  package init(_ kind: Kind, _ name: KeyName, in store: ObjectIdentifier? = nil, version: Int = 1) {
    self.name = name
    self.kind = kind
    self.store = store
    self.version = version
  }

  /// Hashes the name: few programs use one name twice.
  public func hash(into hasher: inout Hasher) {
    name.hash(into: &hasher)
  }

  /// The hash value of the name.
  public var hashValue: Int { name.hashValue }
}
