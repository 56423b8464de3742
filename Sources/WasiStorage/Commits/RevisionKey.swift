import SharingCore

/// A key whose value loses nothing where two programs change it at the same moment; use
/// `.indexedDB(_:)`, `.engine(_:in:)` or `.revisions(_:in:)`.
///
/// - `$x.update { }` is applied exactly once, on what others have stored (rule R24).
/// - What `withLock` has set merges with what others have set: members of objects, and elements of
///   arrays whose elements have an `"id"`, are parts; where both have set one part, the later
///   commit wins, the other program's `loadError` says so with the reason
///   ``SharingCore/StorageError/Reason/replaced``, and what it had is kept under `<key>.replaced`.
/// - A change shows at once. `isSaving` is true until it is stored.
public struct RevisionKey<Value: Sendable>: SharedKey {
  /// The name and the store, and what else the key says of its value.
  public let id: RevisionKeyID
  private let coding: @Sendable () -> StorageCoding<Value>
  private let old: StoredKey<Value>?

  init(
    _ name: KeyName, _ label: KeyLabel, in store: any RevisionStore,
    journaling journalScope: UTF8Text? = nil, adopting old: StoredKey<Value>?,
    _ coding: @escaping @Sendable () -> StorageCoding<Value>
  ) {
    id = RevisionKeyID(name, in: store, label, journalScope)
    self.old = old
    self.coding = coding
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
  public func _makeConnection() -> _SharedConnection { _SharedConnection(value) }

  var value: CommittedValue {
    let committers = SharingEnvironment.current[Committers.slot]
    return committers.committer(for: id.store, id.journalScope).value(
      id.name, id.label, adopting: old.map { Adoption($0.id, $0.coding()) }
    ) { coding().untyped }
  }
}

// What a key of one's own calls that is made of this one.
extension RevisionKey {
  /// Decodes what is stored.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    let value = value
    value.noteDefault(of: context)
    value.load(LoadRequest(continuation))
  }

  /// Follows changes that others make.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let value = value
    value.follow(subscriber.link)
    return SharedSubscription { value.unfollow() }
  }

  /// Commits the value; what others have stored meanwhile merges with it.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    switch self.value.save(SaveRequest(value, context, continuation)) {
    case .saved: continuation.resume()
    case .failed(let error): continuation.resume(throwing: error)
    case .later: break
    }
  }
}

extension SharedReaderKey {
  /// A value that is kept as JSON and loses nothing: in a browser in IndexedDB, which all tabs
  /// share; elsewhere in a folder, which programs of any kind share.
  ///
  /// ```swift
  /// @Shared(.indexedDB("tally")) var tally = 0
  /// $tally.update { $0 += 1 }
  /// ```
  /// A value that was kept in another store until now is taken over, once: where nothing has ever
  /// been stored in this one. There it stays as it is.
  ///
  /// ```swift
  /// @Shared(.indexedDB("notes", adopting: .localStorage("notes"))) var notes: [String] = []
  /// ```
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - old: The key whose value is taken over.
  public static func indexedDB<Value: JSONValue>(
    _ key: String, adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    RevisionKey(KeyName(key), .named(".indexedDB"), in: defaultStore, adopting: old) { .json }
      .written(as: .json(version: 1))
  }

  /// A value that loses nothing, in an encoding of its own or with a version.
  ///
  /// ```swift
  /// @Shared(.indexedDB("todos", coding: .json(version: 2, migrations: [fromTitles])))
  /// var todos: [Todo] = []
  /// ```
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - coding: How the value is written. One that is not JSON is one part.
  ///   - old: The key whose value is taken over, once.
  public static func indexedDB<Value>(
    _ key: String, coding: @autoclosure @escaping @Sendable () -> StorageCoding<Value>,
    adopting old: StoredKey<Value>? = nil
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
  ///   - old: The key whose value is taken over, once.
  public static func revisions<Value: JSONValue>(
    _ key: String, in store: any RevisionStore, adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    RevisionKey(KeyName(key), .named(".revisions"), in: store, adopting: old) { .json }
      .written(as: .json(version: 1))
  }

  /// A value that is kept in a revision store, in an encoding of its own or with a version.
  ///
  /// ```swift
  /// @Shared(.revisions("todos", in: store, coding: .json(version: 2, migrations: […])))
  /// var todos: [Todo] = []
  /// ```
  /// Values of an encoding that is not JSON are one part each.
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - store: The store.
  ///   - coding: How the value is written.
  ///   - old: The key whose value is taken over, once.
  public static func revisions<Value>(
    _ key: String, in store: any RevisionStore,
    coding: @autoclosure @escaping @Sendable () -> StorageCoding<Value>,
    adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    RevisionKey(KeyName(key), .named(".revisions"), in: store, adopting: old, coding)
  }
}

/// The id of a ``RevisionKey``: two are equal that stand for one name in one store.
///
public struct RevisionKeyID: Hashable, Sendable {
  fileprivate let name: KeyName
  fileprivate let store: any RevisionStore
  fileprivate let label: KeyLabel
  fileprivate let journalScope: UTF8Text?

  fileprivate init(
    _ name: KeyName, in store: any RevisionStore, _ label: KeyLabel, _ journalScope: UTF8Text?
  ) {
    self.name = name
    self.store = store
    self.label = label
    self.journalScope = journalScope
  }

  /// Whether two ids stand for one name in one store.
  public static func == (left: RevisionKeyID, right: RevisionKeyID) -> Bool {
    left.name == right.name && left.store === right.store
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) {
    name.hash(into: &hasher)
  }

  /// That of the name.
  public var hashValue: Int { name.hashValue }
}
