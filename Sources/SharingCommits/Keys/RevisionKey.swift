import SharingCore
import WasiStorage

/// A key for a value that loses no change if two programs write it at the same moment. Use
/// `.indexedDB(_:)`, `.engine(_:in:)` or `.revisions(_:in:)`.
///
/// - `$x.update { }` is applied exactly once, to the newest stored value (rule R24).
/// - A value set in `withLock` merges with changes by other programs. Members of objects are parts,
///   and elements of arrays if all have an `"id"`. If both programs have set one part, the later
///   commit wins. The other program's `loadError` then has the reason
///   ``SharingCore/StorageError/Reason/replaced``, and its part is kept under `<key>.replaced`; see
///   ``SharingCore/SharedReaderKey/replacedValues(of:)``.
/// - A change is visible at once. `isSaving` is true until it is stored.
public struct RevisionKey<Value: Sendable>: SharedKey {
  /// The name, the store and the version of the coding.
  public let id: KeyID
  let record: RevisionRecord
  let coding: StorageCoding<Value>
  private let old: AdoptedKey?

  init(
    _ name: KeyName, _ label: KeyLabel, in store: any RevisionStore,
    journaling journalScope: UTF8Text? = nil, adopting old: StoredKey<Value>?,
    _ coding: StorageCoding<Value>
  ) {
    record = RevisionRecord(name: name, store: store, label: label, journalScope: journalScope)
    id = KeyID(
      .revision, name, in: ObjectIdentifier(store as AnyObject), version: coding.untyped.version)
    self.old = old.map { AdoptedKey($0.item, $0.coding) }
    self.coding = coding
  }

  /// The key as it is written in code, for messages.
  public var label: UTF8Text { record.label.text(record.name) }

  /// Returns the connection that reads and writes the value.
  public func _makeConnection() -> _SharedConnection { _SharedConnection(value) }

  var value: CommittedValue {
    let committers = SharingEnvironment.current.committers
    return committers.value(of: record, adopting: old, coding.untyped)
  }
}

// For custom keys that are built on this one.
extension RevisionKey {
  /// Loads and decodes the stored value.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    let value = value
    value.noteDefault(of: context)
    value.load(.continuation(continuation.continuation), isFirst: false)
  }

  /// Follows changes by other programs.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let value = value
    value.follow(subscriber.receiver)
    return SharedSubscription { value.unfollow(subscriber.receiver) }
  }

  /// Commits the value, merged with changes that other programs have stored meanwhile.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    self.value.save(ValueToSave(value, context), .continuation(continuation.continuation))
  }

  /// Commits the removal of the stored value.
  public func reset(to initialValue: Value, continuation: SaveContinuation) {
    value.remove(
      ValueToSave(initialValue, .userInitiated), .continuation(continuation.continuation))
  }
}

extension SharedReaderKey {
  /// A value that is kept as JSON and loses no change: in a browser in IndexedDB, which all tabs
  /// share; elsewhere in a folder, which programs of any kind share.
  ///
  /// ```swift
  /// @Shared(.indexedDB("tally")) var tally = 0
  /// $tally.update { $0 += 1 }
  /// ```
  /// `adopting` takes over the value of a key in another store, once: if nothing was ever stored in
  /// this one. The old key's value stays as it is.
  ///
  /// ```swift
  /// @Shared(.indexedDB("notes", adopting: .localStorage("notes"))) var notes: [String] = []
  /// ```
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - old: The key to take the value from, once.
  public static func indexedDB<Value: JSONValue>(
    _ key: String, adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    RevisionKey(
      KeyName(key), .named(".indexedDB"), in: defaultStore, adopting: old, .json)
  }

  /// A value that loses no change, as JSON with a version, and migrated from earlier versions.
  ///
  /// ```swift
  /// @Shared(
  ///   .indexedDB(
  ///     "todos", version: 2,
  ///     migrations: [StorageMigration(from: 1) { (old: [String]) in old.map { Todo($0) } }]))
  /// var todos: [Todo] = []
  /// ```
  /// Changes of tabs of an earlier version are migrated, too (rule R32).
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - version: The version of the value's JSON, 1 or more.
  ///   - migrations: The migrations from earlier versions, in any order.
  ///   - old: The key to take the value from, once.
  public static func indexedDB<Value: JSONValue>(
    _ key: String, version: Int, migrations: [StorageMigration] = [],
    adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    .indexedDB(key, coding: .json(version: version, migrations: migrations), adopting: old)
  }

  /// A value that loses no change, in an encoding of its own.
  ///
  /// ```swift
  /// @Shared(.indexedDB("log", coding: lines)) var log: [UTF8Text] = []
  /// ```
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - coding: The encoding. A value that is not JSON is one part.
  ///   - old: The key to take the value from, once.
  public static func indexedDB<Value>(
    _ key: String, coding: StorageCoding<Value>, adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    RevisionKey(
      KeyName(key), .named(".indexedDB"), in: defaultStore, adopting: old, coding)
  }

  private static var defaultStore: any RevisionStore {
    SharingEnvironment.current.stores.revisionsForKey
  }

  /// A value that is kept as JSON in a revision store.
  ///
  /// ```swift
  /// @Shared(.revisions("tally", in: store)) var tally = 0
  /// ```
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - store: The store.
  ///   - old: The key to take the value from, once.
  public static func revisions<Value: JSONValue>(
    _ key: String, in store: any RevisionStore, adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    RevisionKey(
      KeyName(key), .named(".revisions"), in: store, adopting: old, .json)
  }

  /// A value that is kept in a revision store, in an encoding of its own.
  ///
  /// ```swift
  /// @Shared(.revisions("log", in: store, coding: lines)) var log: [UTF8Text] = []
  /// ```
  /// A value that is not JSON is one part.
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - store: The store.
  ///   - coding: The encoding.
  ///   - old: The key to take the value from, once.
  public static func revisions<Value>(
    _ key: String, in store: any RevisionStore,
    coding: StorageCoding<Value>, adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    RevisionKey(KeyName(key), .named(".revisions"), in: store, adopting: old, coding)
  }
}

/// A record of a revision store, with the options of its key.
struct RevisionRecord: Sendable {
  let name: KeyName
  let store: any RevisionStore
  let label: KeyLabel
  let journalScope: UTF8Text?
}
