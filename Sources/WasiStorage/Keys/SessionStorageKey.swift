import SharingCore
import SharingJSON

extension SharedReaderKey {
  /// A value that is kept as JSON: in a browser in `sessionStorage`, until the tab is closed;
  /// elsewhere in memory.
  ///
  /// ```swift
  /// @Shared(.sessionStorage("filter")) var filter = ""
  /// ```
  /// See ``StoredKey`` for the rules of all stored values.
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - prefix: A prefix of the name in the store.
  ///   - saving: When changes are written.
  public static func sessionStorage<Value: JSONValue>(
    _ key: String, prefix: String = "", saving: SaveTiming = .immediately
  ) -> Self where Self == StoredKey<Value> {
    StoredKey(.session(key, prefix, saving), .json)
  }

  /// A value that is kept for the session in a custom encoding, or as JSON with a version.
  ///
  /// ```swift
  /// @Shared(.sessionStorage("form", coding: .json(version: 2))) var form = Form()
  /// ```
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - prefix: A prefix of the name in the store.
  ///   - coding: The encoding.
  ///   - saving: When changes are written.
  public static func sessionStorage<Value>(
    _ key: String, prefix: String = "",
    coding: StorageCoding<Value>,
    saving: SaveTiming = .immediately
  ) -> Self where Self == StoredKey<Value> {
    StoredKey(.session(key, prefix, saving), coding)
  }
}

extension StoredItem {
  static func session(
    _ key: String, _ prefix: String, _ saving: SaveTiming
  ) -> StoredItem {
    StoredItem(
      KeyName(prefix: prefix, key), in: DefaultStores.forKey(.session) { $0.session },
      .named(".sessionStorage", prefix: prefix), saving, .always)
  }
}
