import SharingCore
import SharingJSON

extension SharedReaderKey {
  /// The same value as `.localStorage(_:)` with this name, under the name that Apple's platforms
  /// use, and in a store that you may choose.
  ///
  /// ```swift
  /// @Shared(.appStorage("soundsOn")) var soundsOn = true
  /// ```
  /// Other JavaScript of the page reads it by `JSON.parse(localStorage.soundsOn)`. See
  /// ``StoredKey`` for the rules of all stored values.
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - store: The store; by default, the environment's local store.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  public static func appStorage<Value: JSONValue>(
    _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == AppStorageKey<Value> {
    StoredKey(.app(key, store, saving, following), .json)
  }
}

/// A key that keeps its value in the environment's local store; use `.appStorage(_:)`.
public typealias AppStorageKey<Value: Sendable> = StoredKey<Value>

extension StoredItem {
  static func app(
    _ key: String, _ store: (any KeyValueStore)?, _ saving: SaveTiming, _ following: StoreFollowing
  ) -> StoredItem {
    StoredItem(
      KeyName(key), in: store ?? DefaultStores.forKey(.local) { $0.local },
      .named(".appStorage"), saving, following)
  }
}
