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
/// - JSON that the type does not decode may be that of another release. It is neither shown nor
///   overwritten: `loadError` and, after a change, `saveError` give the reason, and only a reset
///   replaces it, after a copy to `<key>.replaced`. Other bytes that do not decode are damage, and
///   copied to `<key>.corrupt`; later damage is kept in the list `<key>.replaced`. The value stays
///   as it is: the default, if none was loaded before.
/// - After a failed write, the value stays in memory and `saveError` is set. The next change
///   retries the write.
/// - `nil` of an optional value removes the item. If the default is another value, `null` is stored
///   instead, so that every program shows nil.
/// - Keys with equal ids share one value and use the coding of the first one. If two keys of one
///   name have different versions, each behaves like a program of its version (rule R19).
public struct StoredKey<Value: Sendable>: SharedKey {
  /// The name, the store and the version of the coding.
  public let id: KeyID
  package let item: StoredItem
  package let coding: AnyStorageCoding

  /// Creates a key for a name in a store.
  /// - Parameters:
  ///   - name: The name in the store, any text.
  ///   - store: The store.
  ///   - coding: The encoding.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  public init(
    _ name: KeyName, in store: any KeyValueStore, coding: StorageCoding<Value>,
    saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) {
    self.init(StoredItem(name, in: store, .named("StoredKey"), saving, following), coding)
  }

  init(_ item: StoredItem, _ coding: StorageCoding<Value>) {
    self.item = item
    self.coding = coding.untyped
    id = item.id(version: self.coding.version)
  }

  /// The key as it is written in code, for messages.
  public var label: UTF8Text { item.label.text(item.name) }

  /// Returns the connection that reads and writes the value.
  public func _makeConnection() -> _SharedConnection {
    _SharedConnection(StoredValue(item, coding))
  }
}

/// An item of a store, with the options of its key.
package struct StoredItem: Sendable {
  package let name: KeyName
  package let store: any KeyValueStore
  let label: KeyLabel
  let saving: SaveTiming
  let following: StoreFollowing
  let kind: ItemKind

  @inline(never)
  init(
    _ name: KeyName, in store: any KeyValueStore, _ label: KeyLabel,
    _ saving: SaveTiming = .immediately, _ following: StoreFollowing = .always,
    kind: ItemKind = .item
  ) {
    self.name = name
    self.store = store
    self.label = label
    self.saving = saving
    self.following = following
    self.kind = kind
  }

  /// The item of the list of replaced values.
  var replaced: StoredItem {
    StoredItem(name.copy("replaced"), in: store, label, .immediately, following, kind: kind)
  }

  var isAddress: Bool { if case .address = kind { true } else { false } }

  /// The name of its slot: that of an address says how it is written.
  var slotName: KeyName {
    if case .address(.replace) = kind { "replace" } else { name }
  }

  /// The id of a key.
  func id(version: Int) -> KeyID {
    KeyID(.item, name, in: ObjectIdentifier(store as AnyObject), version: version)
  }
}

/// The kind of an item, for the rules that differ.
enum ItemKind: Sendable {
  /// An item among others.
  case item
  /// A file that other programs write, too. Zero bytes, or a byte order mark alone, count as no
  /// item if they do not decode: a program may create a file before it writes to it.
  case document
  /// The page's address, the only item of its store. The newer address wins without a copy of the
  /// other one and without an error: the visitor has gone there.
  case address(LocationHistory)
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
