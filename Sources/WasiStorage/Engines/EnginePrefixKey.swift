import SharingCore

/// All values of an engine whose keys begin with a prefix, as one dictionary that is read only; use
/// `.engine(prefix:in:)`.
///
/// Each entry is written under its own key, with ``RevisionKey``.
public struct EnginePrefixKey<Element: Sendable>: SharedReaderKey {
  /// The entries by what their keys have after the prefix.
  public typealias Value = [KeyName: Element]

  /// The prefix and the store.
  public let id: EnginePrefixID
  private let coding: @Sendable () -> StorageCoding<Element>

  fileprivate init(
    _ prefix: String, _ engine: EngineName,
    _ coding: @escaping @Sendable () -> StorageCoding<Element>
  ) {
    EngineStore.canList
    let prefix = KeyName(prefix)
    let store = SharingEnvironment.current.engines.store(of: engine, prefix)
    id = EnginePrefixID(prefix, in: RevisionStandIns.standIn(for: store))
    self.coding = coding
  }

  /// The key as it is written, in messages.
  public var label: UTF8Text { KeyLabel.labeled(".engine", "prefix").text(id.prefix) }

  /// What reads the entries.
  public func _makeConnection() -> _SharedConnection { _SharedConnection(reading: connection) }

  private var connection: EnginePrefixConnection<Element> {
    EnginePrefixConnection(id.prefix, label, id.store, coding())
  }
}

// What a key of one's own calls that is made of this one.
extension EnginePrefixKey {
  /// Decodes all entries, as soon as the engine has told them.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    let connection = connection
    connection.load(
      LoadRequest(
        LoadContinuation<Value> { result in
          connection.unfollow()
          continuation.resume(with: result)
        }))
  }

  /// Follows the entries.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let connection = connection
    connection.follow(subscriber.link)
    return SharedSubscription { connection.unfollow() }
  }
}

extension SharedReaderKey {
  /// All values of an engine whose keys begin with a prefix, in JSON: entries come and go as people
  /// write them under their own keys.
  ///
  /// ```swift
  /// @Shared(.engine("presence.ann", in: .world)) var mine = "Ann"
  /// @SharedReader(.engine(prefix: "presence.", in: .world)) var here: [KeyName: String] = [:]
  /// here["ann"]  // "Ann"
  /// $mine.reset()  // she has gone
  /// ```
  /// It is loading until the engine has told all entries. One that does not decode is left out, and
  /// `loadError` names it; so are copies, whose keys end with `.replaced` or `.corrupt`.
  /// - Parameters:
  ///   - prefix: What the keys begin with. The engine over NATS takes the empty one, and such as
  ///     end with a dot.
  ///   - engine: Which one of the page's engines. One that lists no keys, or is missing, becomes
  ///     `loadError` with the reason ``SharingCore/StorageError/Reason/unavailable``.
  public static func engine<Element: JSONValue>(
    prefix: String, in engine: EngineName
  ) -> Self where Self == EnginePrefixKey<Element> {
    EnginePrefixKey(prefix, engine) { .json }
  }

  /// All values of an engine whose keys begin with a prefix, in an encoding of their own.
  ///
  /// ```swift
  /// @SharedReader(.engine(prefix: "todos.", in: .world, coding: .json(version: 2)))
  /// var todos: [KeyName: Todo] = [:]
  /// ```
  /// - Parameters:
  ///   - prefix: What the keys begin with.
  ///   - engine: Which one of the page's engines.
  ///   - coding: How each value is written.
  public static func engine<Element>(
    prefix: String, in engine: EngineName,
    coding: @autoclosure @escaping @Sendable () -> StorageCoding<Element>
  ) -> Self where Self == EnginePrefixKey<Element> {
    EnginePrefixKey(prefix, engine, coding)
  }
}

/// The id of an ``EnginePrefixKey``: two are equal that stand for one prefix in one store.
///
public struct EnginePrefixID: Hashable, Sendable {
  fileprivate let prefix: KeyName
  fileprivate let store: any RevisionStore

  fileprivate init(_ prefix: KeyName, in store: any RevisionStore) {
    self.prefix = prefix
    self.store = store
  }

  /// Whether two ids stand for one prefix in one store.
  public static func == (left: EnginePrefixID, right: EnginePrefixID) -> Bool {
    left.prefix == right.prefix && left.store === right.store
  }

  /// Hashes the prefix.
  public func hash(into hasher: inout Hasher) {
    prefix.hash(into: &hasher)
  }

  /// That of the prefix.
  public var hashValue: Int { prefix.hashValue }
}
