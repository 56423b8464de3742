import SharingCore
import SharingJSON

extension StorageCoding where Value: JSONValue {
  /// JSON with a version, and migrations from earlier versions.
  ///
  /// ```swift
  /// .json(version: 3, migrations: [
  ///   StorageMigration(from: 1) { (old: [String]) in old.map { TodoV2(title: $0) } },
  ///   StorageMigration(from: 2) { (old: [TodoV2]) in old.map { Todo($0) } },
  /// ])
  /// ```
  /// - Version 1 is the plain JSON that a key without a version writes. Later versions are written
  ///   as `{"$version":3,"value":…}`.
  /// - A value of an older version is migrated from version to version. It is stored in the new
  ///   form with the next change, not before.
  /// - The first member of a stored text must not be a `$version` of its own: without a version,
  ///   such a value is not saved, and `saveError` has the reason `unencodable`.
  /// - A value of a newer version is neither shown nor overwritten: `loadError` is set and, after a
  ///   change, `saveError`. The same happens if a migration throws or is missing.
  /// - Parameters:
  ///   - version: The version of `Value`, 1 or more.
  ///   - migrations: The migrations from earlier versions, in any order.
  public static func json(version: Int, migrations: [StorageMigration] = []) -> StorageCoding {
    StorageCoding(json, version: version, migrations) { (reader) throws(StorageError) in
      try reader.storedValue()
    }
  }
}

extension StorageCoding {
  /// Creates a coding that adds a version to the JSON of another one; version 1 adds nothing.
  /// - Parameter read: Reads a value of the newest version.
  init(
    _ plain: StorageCoding, version: Int, _ migrations: [StorageMigration],
    read: @escaping @Sendable (inout JSONReader) throws(StorageError) -> Value
  ) {
    self.init(
      AnyStorageCoding(
        of: Value.self, version: version,
        nilBytes: plain.untyped.nilBytes.map {
          version > 1 ? VersionedJSON.text(version, $0) : $0
        },
        hasVersions: true,
        update: { (value, _, _) throws(AnyError) in
          let bytes = try plain.encode(value.assumingMemoryBound(to: Value.self).pointee)
          return version > 1 ? bytes.map { VersionedJSON.text(version, $0) } : bytes
        },
        read: { (bytes, text, body) throws(AnyError) in
          var reader = JSONReader(bytes)
          var found = try VersionedJSON.begin(&reader)
          guard found.version <= version else { throw VersionedJSON.newer(found.version, version) }
          let isNewest = found.version == version
          while found.version < version { try found.migrate(&reader, with: migrations) }
          var value = try read(&reader)
          try found.end(&reader)
          // Do not keep members that a migration has left out.
          text.mayHaveUnknownMembers = reader.hasSkippedMembers && isNewest
          withUnsafeMutablePointer(to: &value) { body($0) }
        },
        memberWriter: plain.untyped.memberWriter))
  }
}

/// The version of a stored value while it is decoded; the part without the value's type.
package struct VersionedJSON {
  private(set) var version: Int
  /// Whether the value is a member of an object with its version.
  private var isWrapped: Bool

  /// Returns the text of a value with a version.
  static func text(_ version: Int, _ value: [UInt8]) -> [UInt8] {
    let text: UTF8Text = "{\"$version\":\(version),\"value\":\(UTF8Text(value))}"
    return text.bytes
  }

  /// The reserved member, with which a text of a later version begins.
  private static let member: StaticString = "$version"

  /// Returns the version of a text; 1 for plain JSON. Reads only the first member.
  package static func version(of bytes: [UInt8]) -> Int { reservedVersion(of: bytes) ?? 1 }

  /// Returns the version of a text that begins with the reserved member; nil for another text.
  static func reservedVersion(of bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { bytes in
      var reader = JSONReader(unowned: bytes)
      guard reader.beginObject(with: member) else { return nil }
      return (try? Int.decode(from: &reader)) ?? 1
    }
  }

  /// Reads the version, and moves the reader to the value.
  static func begin(_ reader: inout JSONReader) throws(StorageError) -> VersionedJSON {
    guard reader.beginObject(with: member) else {
      return VersionedJSON(version: 1, isWrapped: false)
    }
    do throws(JSONError) {
      let version = try Int.decode(from: &reader)
      guard try reader.nextMember(), try reader.memberName().matches("value") else {
        throw reader.error(.invalidValue)
      }
      return VersionedJSON(version: version, isWrapped: true)
    } catch {
      throw StorageError(corrupt: reader.showing(error))
    }
  }

  /// The error for a value whose text begins with the reserved member.
  static var reserved: StorageError {
    StorageError(
      .unencodable, key: nil,
      """
      The value's text begins with the member "$version", which is reserved. Give the member \
      another name, or the key a version.
      """)
  }

  /// Returns the error for a value of a version that this program does not know yet.
  package static func newer(_ version: Int, _ known: Int) -> StorageError {
    StorageError(
      .newerVersion(version), key: nil,
      "It is of version \(version). This program supports version \(known).")
  }

  /// Migrates the value to the next version, and moves the reader to its text.
  mutating func migrate(
    _ reader: inout JSONReader, with migrations: [StorageMigration]
  ) throws(StorageError) {
    guard let migration = migrations.first(where: { $0.version == version }) else {
      throw StorageMigration.failure(
        from: version,
        StorageError(.notMigrated, key: nil, "There is no migration from this version."))
    }
    let value = try migration.migrate(&reader)
    try end(&reader)
    reader = JSONReader(value)
    version += 1
    isWrapped = false
  }

  /// Checks that nothing follows the value.
  func end(_ reader: inout JSONReader) throws(StorageError) {
    do throws(JSONError) {
      if isWrapped, try reader.nextMember() { throw reader.error(.invalidValue) }
      try reader.finish()
    } catch {
      throw StorageError(corrupt: reader.showing(error))
    }
  }
}
