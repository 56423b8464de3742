import SharingCore
import SharingJSON

extension SharedReaderKey {
  /// A simple value, such as a setting, that is kept as plain text: in a browser in the page's
  /// `localStorage`, elsewhere in a folder of files.
  ///
  /// ```swift
  /// @Shared(.appStorage("soundsOn")) var soundsOn = true
  /// ```
  /// See ``AppStorageValue`` for the types and their texts, and ``StoredKey`` for the rules of all
  /// stored values. `.localStorage(_:)` writes the string `"Ada"` with quotes, this key without.
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - store: The store; by default, the environment's local store.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  public static func appStorage<Value: AppStorageValue>(
    _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == AppStorageKey<Value> {
    StoredKey(.app(key, store, saving, following), as: .plainText) { .plainText }
  }

  /// A value that is kept as the plain text of its raw value.
  ///
  /// ```swift
  /// enum Order: String, CaseIterable { case name, date }
  /// @Shared(.appStorage("order")) var order = Order.name
  /// ```
  /// In WebAssembly, an enum of `String` that is not `CaseIterable` adds 29 kB (gzip), since Swift
  /// finds its cases by comparing strings.
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - store: The store; by default, the environment's local store.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  @_disfavoredOverload
  public static func appStorage<Value: RawRepresentable>(
    _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == AppStorageKey<Value>, Value.RawValue: AppStorageValue {
    StoredKey(.app(key, store, saving, following), as: .plainText) { .rawText }
  }

  /// An optional value that is kept as the plain text of its raw value; nil removes the item.
  ///
  /// ```swift
  /// @Shared(.appStorage("order")) var order: Order?
  /// ```
  /// - Parameters:
  ///   - key: The name in the store, any text.
  ///   - store: The store; by default, the environment's local store.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  @_disfavoredOverload
  public static func appStorage<Value: RawRepresentable>(
    _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == AppStorageKey<Value?>, Value.RawValue: AppStorageValue {
    StoredKey(.app(key, store, saving, following), as: .plainText) { .optional(.rawText) }
  }
}

/// A key that keeps a simple value as plain text; use `.appStorage(_:)`.
public typealias AppStorageKey<Value: Sendable> = StoredKey<Value>

/// The id of an ``AppStorageKey``. Ids with the same name and store are equal.
public typealias AppStorageKeyID = StoredKeyID

extension StoredKeyID {
  static func app(
    _ key: String, _ store: (any KeyValueStore)?, _ saving: SaveTiming, _ following: StoreFollowing
  ) -> StoredKeyID {
    StoredKeyID(
      KeyName(key), in: store ?? DefaultStores.forKey(.local) { $0.local },
      .named(".appStorage"), saving, following)
  }
}

extension StorageCoding where Value: AppStorageValue {
  /// The value's plain text; see ``AppStorageValue``.
  public static var plainText: StorageCoding {
    StorageCoding(
      .plainText, nilBytes: AnyStorageCoding.null,
      encode: { (value) throws(AnyError) in try value.storageText() },
      decode: { (text) throws(AnyError) in try Value(storageText: text) })
  }
}

extension StorageCoding
where Value: RawRepresentable & Sendable, Value.RawValue: AppStorageValue {
  /// The raw value's plain text.
  static var rawText: StorageCoding {
    StorageCoding(
      .plainText, nilBytes: nil,
      encode: { (value) throws(AnyError) in try value.rawValue.storageText() },
      decode: { (text) throws(AnyError) in
        guard let value = Value(rawValue: try Value.RawValue(storageText: text)) else {
          throw StorageError(corrupt: JSONError(.invalidValue, at: 0, in: text))
        }
        return value
      })
  }
}

extension StorageCoding {
  /// Returns a coding of optional values. Nil removes the item; if the default is another value,
  /// nil is stored as `null`.
  static func optional<Wrapped>(_ coding: StorageCoding<Wrapped>) -> StorageCoding
  where Value == Wrapped? {
    StorageCoding(
      coding.untyped.form, nilBytes: AnyStorageCoding.null,
      encode: { (value) throws(AnyError) in
        guard let value else { return nil }
        return try coding.encode(value)
      },
      decode: { (text) throws(AnyError) in
        do throws(AnyError) {
          return try coding.decode(text)
        } catch {
          if text == AnyStorageCoding.null { return nil }
          throw error
        }
      })
  }
}
