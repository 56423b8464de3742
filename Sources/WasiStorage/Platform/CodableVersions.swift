// Versions of `Codable` values; Embedded Swift has no `Codable`.
#if !hasFeature(Embedded)
  import Foundation
  import SharingCore
  import SharingJSON

  extension StorageMigration {
    /// A migration from a version to the next, for values of Foundation's coders.
    ///
    /// ```swift
    /// StorageMigration(from: 1) { (old: SettingsV1) in
    ///   Settings(theme: old.isDark ? .dark : .light)
    /// }
    /// ```
    /// - Parameters:
    ///   - version: The version of the old value.
    ///   - transform: Returns the new value for the old one. A thrown error becomes `loadError`;
    ///     then the stored value stays, and is not overwritten.
    @_disfavoredOverload
    public init<Old: Decodable & SendableMetatype, New: Encodable & SendableMetatype>(
      from version: Int, _ transform: @escaping @Sendable (_ old: Old) throws -> New
    ) {
      self.init(
        from: version,
        read: { (reader) throws(StorageError) in
          try reader.storedValue(by: JSONDecoder()) as Old
        },
        { (old: Old) in [UInt8](try JSONEncoder.sorted.encode(try transform(old))) })
    }
  }

  extension StorageCoding where Value: Codable & Sendable {
    /// The JSON of Foundation's coders with a version, as ``json(version:migrations:)``.
    /// - Parameters:
    ///   - version: The version of `Value`, 1 or more.
    ///   - migrations: The conversions from each earlier version to the next, in any order.
    public static func codable(version: Int, migrations: [StorageMigration] = []) -> StorageCoding {
      StorageCoding(.codable(), version: version, migrations) { (reader) throws(StorageError) in
        try reader.storedValue(by: JSONDecoder())
      }
    }
  }

  extension SharedReaderKey {
    /// A `Codable` value that is stored as JSON, and whose form has changed over time.
    ///
    /// ```swift
    /// @Shared(
    ///   .localStorage(
    ///     "settings", version: 2,
    ///     migrations: [StorageMigration(from: 1) { (old: SettingsV1) in Settings(old) }]))
    /// var settings = Settings()
    /// ```
    /// See ``StorageCoding/json(version:migrations:)``.
    /// - Parameters:
    ///   - key: The item's name, any text.
    ///   - prefix: The text in front of the name in the store.
    ///   - version: The version of the value's form, 1 or more.
    ///   - migrations: The conversions from each earlier version to the next.
    ///   - saving: When changes are written.
    ///   - following: Whether the value follows changes by other programs.
    @_disfavoredOverload
    public static func localStorage<Value: Codable>(
      _ key: String, prefix: String = "", version: Int, migrations: [StorageMigration] = [],
      saving: SaveTiming = .immediately, following: StoreFollowing = .always
    ) -> Self where Self == LocalStorageKey<Value> {
      StoredKey(
        .local(key, prefix, saving, following), .codable(version: version, migrations: migrations))
    }
  }

  extension JSONReader {
    /// Reads a value with one of Foundation's decoders, and reports a failure as corrupt text.
    fileprivate mutating func storedValue<Value: Decodable>(
      by decoder: JSONDecoder
    ) throws(StorageError) -> Value {
      let start = next
      do {
        hasSkippedMembers = true  // possibly: the decoder does not report them
        try skipValue()
        let text = UnsafeRawBufferPointer(start: start, count: next - start)
        return try decoder.decode(Value.self, from: Data(text))
      } catch let error as JSONError {
        throw StorageError(corrupt: error)
      } catch {
        throw StorageError.from(error, otherwise: .unreadable(offset: offset))
      }
    }
  }
#endif
