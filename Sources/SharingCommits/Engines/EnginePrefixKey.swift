import SharingCore
import WasiStorage

/// A read-only dictionary of all values of an engine under keys with a prefix; use
/// `.engine(prefix:in:)`.
///
/// Each entry is written under its own key, with ``RevisionKey``.
public struct EnginePrefixKey<Element: Sendable>: SharedReaderKey {
  /// The entries, by the rest of their keys after the prefix.
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
    id = EnginePrefixID(prefix: prefix, store: SimulatedStores.replacement(for: store))
    self.coding = coding
  }

  /// The key as it is written in code, for messages.
  public var label: UTF8Text { KeyLabel.labeled(".engine", "prefix").text(id.prefix) }

  /// Returns the connection that reads the entries.
  public func _makeConnection() -> _SharedConnection { _SharedConnection(reading: connection) }

  private var connection: EnginePrefixConnection<Element> {
    EnginePrefixConnection(id.prefix, label, id.store, coding())
  }
}

// For custom keys that are built on this one.
extension EnginePrefixKey {
  /// Loads and decodes all entries.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    let connection = connection
    let loaded = LoadContinuation<Value> { result in
      connection.unfollow()
      continuation.resume(with: result)
    }
    connection.load(.continuation(loaded.continuation), isFirst: false)
  }

  /// Follows the entries.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let connection = connection
    connection.follow(subscriber.receiver)
    return SharedSubscription { connection.unfollow() }
  }
}

extension SharedReaderKey {
  /// All values of an engine under keys with a prefix, kept as JSON. Programs add and remove
  /// entries through keys of their own.
  ///
  /// ```swift
  /// @Shared(.engine("presence.ann", in: .world)) var mine = "Ann"
  /// @SharedReader(.engine(prefix: "presence.", in: .world)) var here: [KeyName: String] = [:]
  /// here["ann"]  // "Ann"
  /// $mine.reset()  // removes the entry
  /// ```
  /// `isLoading` is true until the engine has reported all entries. An entry that does not decode
  /// is left out, and `loadError` names it. Copies, under keys that end with `.replaced` or
  /// `.corrupt`, are left out, too.
  /// - Parameters:
  ///   - prefix: The beginning of the keys. The NATS engine accepts a prefix that is empty or ends
  ///     with a dot.
  ///   - engine: One of the page's engines. If it is missing or cannot list keys, `loadError` has
  ///     the reason ``SharingCore/StorageError/Reason/unavailable``.
  public static func engine<Element: JSONValue>(
    prefix: String, in engine: EngineName
  ) -> Self where Self == EnginePrefixKey<Element> {
    EnginePrefixKey(prefix, engine) { .json }
  }

  /// All values of an engine under keys with a prefix, in a custom encoding.
  ///
  /// ```swift
  /// @SharedReader(.engine(prefix: "todos.", in: .world, coding: .json(version: 2)))
  /// var todos: [KeyName: Todo] = [:]
  /// ```
  /// - Parameters:
  ///   - prefix: The beginning of the keys.
  ///   - engine: One of the page's engines.
  ///   - coding: The encoding of each value.
  public static func engine<Element>(
    prefix: String, in engine: EngineName,
    coding: @autoclosure @escaping @Sendable () -> StorageCoding<Element>
  ) -> Self where Self == EnginePrefixKey<Element> {
    EnginePrefixKey(prefix, engine, coding)
  }
}

/// The id of an ``EnginePrefixKey``. Ids with the same prefix and store are equal.
public struct EnginePrefixID: Hashable, Sendable {
  fileprivate let prefix: KeyName
  fileprivate let store: any RevisionStore

  /// Returns whether two ids have the same prefix and store.
  public static func == (left: EnginePrefixID, right: EnginePrefixID) -> Bool {
    left.prefix == right.prefix && left.store === right.store
  }

  /// Hashes the prefix.
  public func hash(into hasher: inout Hasher) {
    prefix.hash(into: &hasher)
  }

  /// The hash value of the prefix.
  public var hashValue: Int { prefix.hashValue }
}
