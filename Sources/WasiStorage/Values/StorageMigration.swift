import SharingCore
import SharingJSON

/// Migrates a stored value from one version to the next; see
/// ``StorageCoding/json(version:migrations:)``.
///
/// ```swift
/// StorageMigration(from: 1) { (old: [String]) in old.map { Todo(title: $0) } }
/// ```
public struct StorageMigration: Sendable {
  /// The version of the old value.
  let version: Int
  /// Reads the old value, and returns the JSON of the new one.
  let migrate: @Sendable (inout JSONReader) throws(StorageError) -> [UInt8]

  /// Creates a migration from a version to the next.
  /// - Parameters:
  ///   - version: The version of the old value.
  ///   - transform: Returns the new value for an old one. A thrown error becomes `loadError`; the
  ///     stored value then stays as it is and is not overwritten.
  public init<Old: JSONValue, New: JSONValue>(
    from version: Int, _ transform: @escaping @Sendable (_ old: Old) throws(AnyError) -> New
  ) {
    self.init(
      from: version, read: { (reader) throws(StorageError) in try reader.storedValue() },
      { (old: Old) throws(AnyError) in try jsonText(of: try transform(old)) })
  }

  /// Creates a migration with custom reading and writing.
  init<Old>(
    from version: Int, read: @escaping @Sendable (inout JSONReader) throws(StorageError) -> Old,
    _ transform: @escaping @Sendable (_ old: Old) throws(AnyError) -> [UInt8]
  ) {
    self.version = version
    migrate = { (reader) throws(StorageError) in
      let old = try read(&reader)
      do throws(AnyError) {
        return try transform(old)
      } catch {
        throw Self.failure(from: version, StorageError.from(error, otherwise: .notMigrated))
      }
    }
  }

  /// Returns the error for a value that could not be migrated.
  static func failure(from version: Int, _ cause: StorageError) -> StorageError {
    StorageError(
      .notMigrated, key: nil,
      "It is of version \(version) and could not be migrated. \(cause.advice)", ErrorCause(cause))
  }
}

/// Returns the value's JSON text.
private func jsonText(of value: some JSONValue) throws(StorageError) -> [UInt8] {
  do throws(JSONError) {
    return try JSON.encode(value)
  } catch {
    throw StorageError(unencodable: error)
  }
}

extension JSONReader {
  /// Reads a value. An invalid one is reported as corrupt.
  mutating func storedValue<Value: JSONValue>() throws(StorageError) -> Value {
    do throws(JSONError) {
      return try Value.decode(from: &self)
    } catch {
      throw StorageError(corrupt: showing(error))
    }
  }
}
