// Enums of strings in `.appStorage`, whose cases are found without comparing strings. Natively that
// saves nothing, and needs many overloads to distinguish them from `Codable` enums.
#if hasFeature(Embedded)
  import SharingCore
  import SharingJSON

  extension SharedReaderKey {
    /// A value that is stored as the plain text of its raw value; see the other `appStorage`.
    @_disfavoredOverload
    public static func appStorage<Value: RawRepresentable & CaseIterable>(
      _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
      following: StoreFollowing = .always
    ) -> Self where Self == AppStorageKey<Value>, Value.RawValue == String {
      StoredKey(.app(key, store, saving, following), as: .plainText) { .caseText }
    }

    /// An optional value that is stored as the plain text of its raw value; nil removes the item.
    @_disfavoredOverload
    public static func appStorage<Value: RawRepresentable & CaseIterable>(
      _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
      following: StoreFollowing = .always
    ) -> Self where Self == AppStorageKey<Value?>, Value.RawValue == String {
      StoredKey(.app(key, store, saving, following), as: .plainText) { .optional(.caseText) }
    }
  }

  extension StorageCoding
  where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    fileprivate static var caseText: StorageCoding {
      StorageCoding(
        .plainText, nilBytes: nil,
        encode: { (value) throws(AnyError) in value.rawValue.storageText() },
        decode: { (text) throws(AnyError) in
          guard let value = Value.named(text) else {
            throw StorageError(corrupt: JSONError(.invalidValue, at: 0, in: text))
          }
          return value
        })
    }
  }
#endif
