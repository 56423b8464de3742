// `Codable` values in the keys that keep JSON; Embedded Swift has no `Codable`. Where a type is a
// `JSONValue` too, that is how it is written, natively as in wasm.
#if !hasFeature(Embedded)
  import Foundation
  import SharingCore

  extension SharedReaderKey {
    /// A `Codable` value that is kept as JSON, natively in a folder of files.
    ///
    /// ```swift
    /// @Shared(.localStorage("settings")) var settings = Settings()
    /// ```
    /// - Parameters:
    ///   - key: The item's name, any text.
    ///   - prefix: What stands before the name in the store.
    ///   - saving: When changes are written.
    ///   - following: Whether the value follows what others store.
    @_disfavoredOverload
    public static func localStorage<Value: Codable>(
      _ key: String, prefix: String = "", saving: SaveTiming = .immediately,
      following: StoreFollowing = .always
    ) -> Self where Self == LocalStorageKey<Value> {
      .localStorage(key, prefix: prefix, coding: .codable(), saving: saving, following: following)
        .written(as: .json(version: 1))
    }

    /// A `Codable` value that is kept as JSON, natively in memory.
    /// - Parameters:
    ///   - key: The item's name, any text.
    ///   - prefix: What stands before the name in the store.
    ///   - saving: When changes are written.
    @_disfavoredOverload
    public static func sessionStorage<Value: Codable>(
      _ key: String, prefix: String = "", saving: SaveTiming = .immediately
    ) -> Self where Self == SessionStorageKey<Value> {
      .sessionStorage(key, prefix: prefix, coding: .codable(), saving: saving)
        .written(as: .json(version: 1))
    }

    /// A `Codable` value that is kept as JSON beside the simple ones.
    ///
    /// ```swift
    /// @Shared(.appStorage("settings")) var settings = Settings()
    /// ```
    /// - Parameters:
    ///   - key: The item's name, any text.
    ///   - store: Where it is kept; the environment's local store unless one is given.
    ///   - saving: When changes are written.
    ///   - following: Whether the value follows what others store.
    @_disfavoredOverload
    public static func appStorage<Value: Codable>(
      _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
      following: StoreFollowing = .always
    ) -> Self where Self == AppStorageKey<Value> {
      StoredKey(.app(key, store, saving, following)) { .codable() }
        .written(as: .json(version: 1))
    }

    /// A value that is kept as the plain text of its raw value, though it is `Codable`, too.
    @_disfavoredOverload
    public static func appStorage<Value: RawRepresentable & Codable>(
      _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
      following: StoreFollowing = .always
    ) -> Self where Self == AppStorageKey<Value>, Value.RawValue: AppStorageValue {
      StoredKey(.app(key, store, saving, following)) { .rawText }.written(as: .plainText)
    }

    /// An optional value that is kept as the plain text of its raw value, though it is `Codable`,
    /// too; nil removes the item.
    @_disfavoredOverload
    public static func appStorage<Value: RawRepresentable & Codable>(
      _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
      following: StoreFollowing = .always
    ) -> Self where Self == AppStorageKey<Value?>, Value.RawValue: AppStorageValue {
      StoredKey(.app(key, store, saving, following)) { .optional(.rawText) }.written(as: .plainText)
    }
  }

  extension StorageCoding where Value: Codable & Sendable {
    /// The JSON of Foundation's coders; nil removes the item, and is `null` where the default is
    /// another value.
    /// - Parameters:
    ///   - decoder: Reads the JSON; one without settings unless one is given.
    ///   - encoder: Writes it; one that sorts the keys unless one is given, since the same value
    ///     has to make the same bytes.
    public static func codable(
      decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = .sorted
    ) -> StorageCoding {
      let plain = StorageCoding(
        .json(version: 1), nothing: AnyStorageCoding.null,
        encode: { value in
          let bytes = [UInt8](try encoder.encode(value))
          return bytes == AnyStorageCoding.null ? nil : bytes
        },
        decode: { try decoder.decode(Value.self, from: Data($0)) })
      let read = plain.untyped.read
      return StorageCoding(
        AnyStorageCoding(
          of: Value.self, .json(version: 1), nothing: AnyStorageCoding.null, readsVersions: true,
          update: plain.untyped.update,
          read: { bytes, text, body in
            // Perhaps: no decoder tells.
            text.mayHaveUnknownMembers = true
            try read(bytes, &text, body)
          },
          memberWriter: .merging))
    }
  }

  extension JSONEncoder {
    /// An encoder that writes the same bytes for the same value.
    public static var sorted: JSONEncoder {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return encoder
    }
  }
#endif
