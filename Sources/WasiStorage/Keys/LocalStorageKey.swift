import SharingCore
import SharingJSON

extension SharedReaderKey {
  /// A value that is kept as JSON: in a browser in the page's `localStorage`, which all tabs share;
  /// elsewhere in a folder of files.
  ///
  /// ```swift
  /// @Shared(.localStorage("count")) var count = 0
  /// ```
  /// See ``StoredKey`` for the rules of all stored values.
  /// - Parameter key: The name in the store, any text.
  public static func localStorage<Value: JSONValue>(_ key: String) -> Self
  where Self == LocalStorageKey<Value> {
    StoredKey(.local(key), .json)
  }

  /// A value that is kept as JSON, with options.
  ///
  /// ```swift
  /// @Shared(.localStorage("draft", saving: .debounced(milliseconds: 500))) var draft = ""
  /// ```
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - prefix: A prefix of the name in the store.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  public static func localStorage<Value: JSONValue>(
    _ key: String, prefix: String = "", saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == LocalStorageKey<Value> {
    StoredKey(.local(key, prefix, saving, following), .json)
  }

  /// A value that is kept as JSON with a version, and migrated from earlier versions.
  ///
  /// ```swift
  /// @Shared(
  ///   .localStorage(
  ///     "todos", version: 2,
  ///     migrations: [StorageMigration(from: 1) { (old: [String]) in old.map { Todo($0) } }]))
  /// var todos: [Todo] = []
  /// ```
  /// See ``StorageCoding/json(version:migrations:)``.
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - prefix: A prefix of the name in the store.
  ///   - version: The version of the value's JSON, 1 or more.
  ///   - migrations: The migrations from earlier versions, in any order.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  public static func localStorage<Value: JSONValue>(
    _ key: String, prefix: String = "", version: Int, migrations: [StorageMigration] = [],
    saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) -> Self where Self == LocalStorageKey<Value> {
    StoredKey(
      .local(key, prefix, saving, following), .json(version: version, migrations: migrations))
  }

  /// A value that is kept in a custom encoding.
  ///
  /// ```swift
  /// @Shared(.localStorage("log", coding: lines)) var log: [Line] = []
  /// ```
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - prefix: A prefix of the name in the store.
  ///   - coding: The encoding.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  public static func localStorage<Value>(
    _ key: String, prefix: String = "",
    coding: StorageCoding<Value>,
    saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) -> Self where Self == LocalStorageKey<Value> {
    StoredKey(.local(key, prefix, saving, following), coding)
  }
}

extension StoredItem {
  static func local(
    _ key: String, _ prefix: String = "", _ saving: SaveTiming = .immediately,
    _ following: StoreFollowing = .always
  ) -> StoredItem {
    StoredItem(
      KeyName(prefix: prefix, key), in: DefaultStores.forKey(.local) { $0.local },
      .named(".localStorage", prefix: prefix), saving, following)
  }
}

/// A key that keeps its value in the environment's local store; use `.localStorage(_:)`.
public typealias LocalStorageKey<Value: Sendable> = StoredKey<Value>
