import SharingCore

/// A key whose value is kept under a name in a ``KeyValueStore``: what `.localStorage`,
/// `.appStorage` and their like make, and a store of one's own can.
///
/// ```swift
/// extension SharedKey where Self == StoredKey<String> {
///   static func note(in store: any KeyValueStore) -> Self {
///     StoredKey(KeyName("note"), in: store, coding: .json)
///   }
/// }
/// ```
/// It only describes: what has state is made once for all wrappers of a name in a store.
///
/// - Every mutation applies to what the store holds at that moment, and changes that others make
///   show up when the store tells of them.
/// - Bytes that do not decode are copied to `<key>.corrupt` (or `.corrupt.2`, `.3` … when that is
///   taken), `loadError` says what is wrong, and the value stays as it is: the default, if none was
///   loaded before.
/// - A write that fails keeps the value in memory, sets `saveError`, and is tried again with the
///   next change.
/// - `nil` of an optional value removes the item. Where the default is another value, `null` is
///   stored instead, so that nil is what every program shows.
/// - Of several keys for one name in one store the first one decides how the value is written. One
///   that writes it in another form (plain text instead of JSON, or another version) does not share
///   it: an issue says so, and what is changed through it is not saved.
public struct StoredKey<Value: Sendable>: SharedKey {
  /// The name and the store, and what else the key says of its value.
  public let id: StoredKeyID
  /// A function: a key is made for every wrapper, and a coding for the first one of an id.
  let coding: @Sendable () -> AnyStorageCoding

  /// A key for a name in a store.
  /// - Parameters:
  ///   - name: The name there, any text.
  ///   - store: The store.
  ///   - coding: How the value is written.
  ///   - saving: When it is written.
  ///   - following: Whether the value follows what others store.
  public init(
    _ name: KeyName, in store: any KeyValueStore,
    coding: @autoclosure @escaping @Sendable () -> StorageCoding<Value>,
    saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) {
    self.init(
      StoredKeyID(
        name, in: store, .named("StoredKey"), saving, following), coding)
  }

  init(_ id: StoredKeyID, _ coding: @escaping @Sendable () -> StorageCoding<Value>) {
    self.id = id
    self.coding = { coding().untyped }
  }

  /// The key as it is written, in messages.
  public var label: UTF8Text { id.label.text(id.name) }

  /// How the value is written; nil for an encoding that the program gives.
  public private(set) var _form: _StoredForm?

  /// The key, of which it is known how the value is written.
  func written(as form: _StoredForm) -> Self {
    var key = self
    key._form = form
    return key
  }

  /// What reads and writes the value.
  public func _makeConnection() -> _SharedConnection {
    _SharedConnection(StoredValue(id, coding()))
  }
}

extension StoredKey where Value: JSONValue {
  /// A key whose value is kept as JSON.
  init(json id: StoredKeyID) {
    self.id = id
    coding = { AnyStorageCoding(json: Value.self) }
    _form = .json(version: 1)
  }
}

/// The id of a ``StoredKey``: two are equal that stand for one name in one store.
public struct StoredKeyID: Hashable, Sendable {
  // With what else a key says of its value, but for the value's type.
  let name: KeyName
  let store: any KeyValueStore
  let label: KeyLabel
  let saving: SaveTiming
  let following: StoreFollowing
  /// Whether zero bytes are nothing where they stand for no value: programs that make a file before
  /// they write to it leave it like that.
  let isDocument: Bool
  /// Whether a write that fails is tried again by itself, and not with the next change only.
  let retries: Bool

  @inline(never)
  init(
    _ name: KeyName, in store: any KeyValueStore, _ label: KeyLabel,
    _ saving: SaveTiming = .immediately, _ following: StoreFollowing = .always,
    isDocument: Bool = false, retries: Bool = false
  ) {
    self.name = name
    self.store = store
    self.label = label
    self.saving = saving
    self.following = following
    self.isDocument = isDocument
    self.retries = retries
  }

  /// Whether two ids stand for one name in one store.
  public static func == (left: StoredKeyID, right: StoredKeyID) -> Bool {
    left.name == right.name && left.store === right.store
  }

  /// Hashes the name: few programs use one name in two stores.
  public func hash(into hasher: inout Hasher) {
    name.hash(into: &hasher)
  }

  /// That of the name.
  public var hashValue: Int { name.hashValue }
}
