// Versions of `Codable` values, which Embedded Swift does not have.
#if !hasFeature(Embedded)
  import Foundation
  import SharingCore

  extension StorageMigration {
    /// A migration from a version to the next, of values that Foundation's coders read and write.
    ///
    /// ```swift
    /// StorageMigration(from: 1) { (old: SettingsV1) in
    ///   Settings(theme: old.isDark ? .dark : .light)
    /// }
    /// ```
    /// - Parameters:
    ///   - version: The version that it reads.
    ///   - transform: Makes a new value of the old one. What it throws becomes `loadError`: then
    ///     the stored value stays as it is, and nothing is written over it.
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
    ///   - migrations: What makes values of earlier versions to those of the next, in any order.
    public static func codable(version: Int, migrations: [StorageMigration] = []) -> StorageCoding {
      StorageCoding(.codable(), version: version, migrations) { (reader) throws(StorageError) in
        try reader.storedValue(by: JSONDecoder())
      }
    }
  }

  extension SharedReaderKey {
    /// A `Codable` value that is kept as JSON and whose form has changed over time.
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
    ///   - prefix: What stands before the name in the store.
    ///   - version: The version of the value's form, 1 or more.
    ///   - migrations: What makes values of earlier versions to those of the next.
    ///   - saving: When changes are written.
    ///   - following: Whether the value follows what others store.
    @_disfavoredOverload
    public static func localStorage<Value: Codable>(
      _ key: String, prefix: String = "", version: Int, migrations: [StorageMigration] = [],
      saving: SaveTiming = .immediately, following: StoreFollowing = .always
    ) -> Self where Self == LocalStorageKey<Value> {
      .localStorage(
        key, prefix: prefix, coding: .codable(version: version, migrations: migrations),
        saving: saving, following: following
      ).written(as: .json(version: version))
    }
  }

  extension JSONReader {
    /// Reads a value with one of Foundation's decoders; what is wrong with it is damage.
    fileprivate mutating func storedValue<Value: Decodable>(
      by decoder: JSONDecoder
    ) throws(StorageError) -> Value {
      let start = next
      do {
        hasSkippedMembers = true  // perhaps: no decoder tells
        try skipValue()
        let text = UnsafeRawBufferPointer(start: start, count: next - start)
        return try decoder.decode(Value.self, from: Data(text))
      } catch let error as JSONError {
        throw StorageError(corrupt: error)
      } catch {
        throw StorageError.from(error, otherwise: .corrupt(offset: offset))
      }
    }
  }
#endif
