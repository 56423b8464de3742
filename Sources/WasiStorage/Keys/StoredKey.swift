import SharingCore
@_exported import SharingJSON  // a program that imports WasiStorage has the codec, too

/// A key whose value is kept under a name in a ``KeyValueStore``. `.localStorage`, `.appStorage`
/// and similar functions return one. Create one yourself to use a store of your own.
///
/// ```swift
/// extension SharedKey where Self == StoredKey<String> {
///   static func note(in store: any KeyValueStore) -> Self {
///     StoredKey(KeyName("note"), in: store, coding: .json)
///   }
/// }
/// ```
/// A key only describes its value. All wrappers of a name in a store share one value.
///
/// - Each mutation applies to the value that the store holds at that moment. Changes by other tabs
///   and programs are shown when the store reports them.
/// - Bytes that do not decode are copied to `<key>.corrupt` (or, if that is taken, `.corrupt.2`,
///   `.3` …), and `loadError` gives the reason. The value stays as it is: the default, if none was
///   loaded before.
/// - After a failed write, the value stays in memory and `saveError` is set. The next change
///   retries the write.
/// - `nil` of an optional value removes the item. If the default is another value, `null` is stored
///   instead, so that every program shows nil.
/// - The first of several keys for one name in one store decides the form of the stored text. A key
///   of another form (plain text instead of JSON, or another version) does not share the value: an
///   issue is reported, and changes through that key are not saved. A key with a `coding` shares
///   it, and uses the coding of the first key.
public struct StoredKey<Value: Sendable>: SharedKey {
  /// The name and the store, with the key's options.
  public let id: StoredKeyID
  /// A function, since each wrapper creates a key, but only the first one of an id needs a coding.
  package let coding: @Sendable () -> AnyStorageCoding

  /// Creates a key for a name in a store.
  /// - Parameters:
  ///   - name: The name in the store, any text.
  ///   - store: The store.
  ///   - coding: The encoding.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  public init(
    _ name: KeyName, in store: any KeyValueStore,
    coding: @autoclosure @escaping @Sendable () -> StorageCoding<Value>,
    saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) {
    self.init(
      StoredKeyID(
        name, in: store, .named("StoredKey"), saving, following), coding)
  }

  init(
    _ id: StoredKeyID, as form: _StoredForm? = nil,
    _ coding: @escaping @Sendable () -> StorageCoding<Value>
  ) {
    self.id = id
    self.coding = { coding().untyped }
    _form = form
  }

  /// The key as it is written in code, for messages.
  public var label: UTF8Text { id.label.text(id.name) }

  /// The form of the stored text; nil for a custom encoding.
  public let _form: _StoredForm?

  /// Returns the connection that reads and writes the value.
  public func _makeConnection() -> _SharedConnection {
    _SharedConnection(StoredValue(id, coding()))
  }
}

extension StoredKey where Value: JSONValue {
  /// Creates a key whose value is kept as JSON.
  init(json id: StoredKeyID) {
    self.id = id
    coding = { AnyStorageCoding(json: Value.self) }
    _form = .json(version: 1)
  }
}

/// The id of a ``StoredKey``. Ids with the same name and store are equal.
public struct StoredKeyID: Hashable, Sendable {
  // The key's options are here too; `==` ignores them.
  package let name: KeyName
  package let store: any KeyValueStore
  let label: KeyLabel
  let saving: SaveTiming
  let following: StoreFollowing
  /// Whether zero bytes count as no item if they do not decode: a program may create a file before
  /// it writes to it.
  let isDocument: Bool

  @inline(never)
  init(
    _ name: KeyName, in store: any KeyValueStore, _ label: KeyLabel,
    _ saving: SaveTiming = .immediately, _ following: StoreFollowing = .always,
    isDocument: Bool = false
  ) {
    self.name = name
    self.store = store
    self.label = label
    self.saving = saving
    self.following = following
    self.isDocument = isDocument
  }

  /// Returns whether two ids have the same name and store.
  public static func == (left: StoredKeyID, right: StoredKeyID) -> Bool {
    left.name == right.name && left.store === right.store
  }

  /// Hashes the name: few programs use one name in two stores.
  public func hash(into hasher: inout Hasher) {
    name.hash(into: &hasher)
  }

  /// The hash value of the name.
  public var hashValue: Int { name.hashValue }
}

/// Whether a value follows changes by other tabs and programs.
///
/// ```swift
/// @Shared(.localStorage("search", following: .never)) var search = ""
/// ```
public enum StoreFollowing: Sendable {
  /// Shows changes when the store reports them, and reads the store before each own change.
  case always
  /// Reads the store once. Each tab or program begins with the last stored value and then keeps its
  /// own. A save replaces the stored value. `load()` reads the store again.
  ///
  /// The wrappers of one item in one program still share one value. The first one decides whether
  /// it follows changes.
  case never
}
