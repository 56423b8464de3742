import SharingCore

extension SharedReaderKey {
  /// A value that is kept as JSON: in a browser in the tab's `sessionStorage`, until it is closed;
  /// elsewhere in memory.
  ///
  /// ```swift
  /// @Shared(.sessionStorage("filter")) var filter = ""
  /// ```
  /// See ``StorageKey`` for what holds of every stored value.
  /// - Parameters:
  ///   - key: The item's name, any text.
  ///   - prefix: What stands before the name in the store.
  ///   - saving: When changes are written.
  public static func sessionStorage<Value: JSONValue>(
    _ key: String, prefix: String = "", saving: SaveTiming = .immediately
  ) -> Self where Self == SessionStorageKey<Value> {
    .sessionStorage(key, prefix: prefix, coding: .json, saving: saving)
  }

  /// A value that is kept for the session in an encoding of its own, or as JSON with a version.
  ///
  /// ```swift
  /// @Shared(.sessionStorage("form", coding: .json(version: 2))) var form = Form()
  /// ```
  /// - Parameters:
  ///   - key: The item's name, any text.
  ///   - prefix: What stands before the name in the store.
  ///   - coding: How the value is written.
  ///   - saving: When changes are written.
  public static func sessionStorage<Value>(
    _ key: String, prefix: String = "", coding: StorageCoding<Value>,
    saving: SaveTiming = .immediately
  ) -> Self where Self == SessionStorageKey<Value> {
    let store = SharingEnvironment.current.stores.sessionForKey
    let name = KeyName(prefix: prefix, key)
    let item = StoredItem(name, in: store, coding: coding, saving: saving)
    return SessionStorageKey(item: item, prefix: KeyPrefix(prefix))
  }
}

/// A key that keeps its value in the environment's session store; use `.sessionStorage(_:)`.
public struct SessionStorageKey<Value: Sendable>: StorageKey {
  /// The item of the store.
  public let item: StoredItem<Value>
  let prefix: KeyPrefix
}
