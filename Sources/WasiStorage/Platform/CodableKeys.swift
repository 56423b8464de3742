// `Codable` values in the keys that store JSON; Embedded Swift has no `Codable`. A type that is
// also a `JSONValue` is written as one, natively as in wasm.
#if !hasFeature(Embedded)
  import Foundation
  import SharingCore

  extension SharedReaderKey {
    /// A `Codable` value that is stored as JSON, natively in a folder of files.
    ///
    /// ```swift
    /// @Shared(.localStorage("settings")) var settings = Settings()
    /// ```
    /// - Parameters:
    ///   - key: The item's name, any text.
    ///   - prefix: The text in front of the name in the store.
    ///   - saving: When changes are written.
    ///   - following: Whether the value follows changes by other programs.
    @_disfavoredOverload
    public static func localStorage<Value: Codable>(
      _ key: String, prefix: String = "", saving: SaveTiming = .immediately,
      following: StoreFollowing = .always
    ) -> Self where Self == LocalStorageKey<Value> {
      StoredKey(.local(key, prefix, saving, following), .codable())
    }

    /// A `Codable` value that is stored as JSON, natively in memory.
    /// - Parameters:
    ///   - key: The item's name, any text.
    ///   - prefix: The text in front of the name in the store.
    ///   - saving: When changes are written.
    @_disfavoredOverload
    public static func sessionStorage<Value: Codable>(
      _ key: String, prefix: String = "", saving: SaveTiming = .immediately
    ) -> Self where Self == StoredKey<Value> {
      StoredKey(.session(key, prefix, saving), .codable())
    }

    /// A `Codable` value that is stored as JSON, as under `.localStorage(_:)`.
    ///
    /// ```swift
    /// @Shared(.appStorage("settings")) var settings = Settings()
    /// ```
    /// - Parameters:
    ///   - key: The item's name, any text.
    ///   - store: The store; the environment's local store by default.
    ///   - saving: When changes are written.
    ///   - following: Whether the value follows changes by other programs.
    @_disfavoredOverload
    public static func appStorage<Value: Codable>(
      _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
      following: StoreFollowing = .always
    ) -> Self where Self == AppStorageKey<Value> {
      StoredKey(.app(key, store, saving, following), .codable())
    }
  }

  extension StorageCoding where Value: Codable & Sendable {
    /// The JSON of Foundation's coders. Nil removes the item, or is stored as `null` if the default
    /// is another value.
    /// - Parameters:
    ///   - decoder: Reads the JSON; one without settings by default.
    ///   - encoder: Writes the JSON; by default one that sorts the keys, since equal values have to
    ///     give equal bytes.
    public static func codable(
      decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder? = nil
    ) -> StorageCoding {
      let encoder = encoder ?? .sorted
      let plain = StorageCoding(
        nilBytes: AnyStorageCoding.null,
        encode: { value in
          let bytes = [UInt8](try encoder.encode(value))
          return bytes == AnyStorageCoding.null ? nil : bytes
        },
        decode: { try decoder.decode(Value.self, from: Data($0)) })
      let read = plain.untyped.read
      return StorageCoding(
        AnyStorageCoding(
          of: Value.self, nilBytes: AnyStorageCoding.null, hasVersions: true,
          update: plain.untyped.update,
          read: { bytes, text, body in
            // Possibly: the decoder does not report them.
            text.mayHaveUnknownMembers = true
            try read(bytes, &text, body)
          },
          memberWriter: .mergingIfNeeded))
    }
  }

  extension JSONEncoder {
    /// An encoder that writes equal bytes for equal values.
    static var sorted: JSONEncoder {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return encoder
    }
  }
#endif
