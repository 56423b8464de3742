import SharingCore

/// Makes a stored value of one version to one of the next; see
/// ``StorageCoding/json(version:migrations:)``.
///
/// ```swift
/// StorageMigration(from: 1) { (old: [String]) in old.map { Todo(title: $0) } }
/// ```
public struct StorageMigration: Sendable {
  /// The version that this reads.
  let version: Int
  /// Reads one value, and writes the JSON of the next version.
  let migrate: @Sendable (inout JSONReader) throws(StorageError) -> [UInt8]

  /// A migration from a version to the next.
  /// - Parameters:
  ///   - version: The version that it reads.
  ///   - transform: Makes a new value of the old one. What it throws becomes `loadError`: then the
  ///     stored value stays as it is, and nothing is written over it.
  public init<Old: JSONValue, New: JSONValue>(
    from version: Int, _ transform: @escaping @Sendable (_ old: Old) throws(AnyError) -> New
  ) {
    self.init(
      from: version, read: { (reader) throws(StorageError) in try reader.storedValue() },
      { (old: Old) throws(AnyError) in try write(try transform(old)) })
  }

  /// A migration that reads and writes in its own way.
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

  /// What is said of a value that cannot be made to one of the next version.
  static func failure(from version: Int, _ cause: StorageError) -> StorageError {
    StorageError(
      .notMigrated, key: nil,
      """
      The stored value is of version \(version) and could not be migrated, so it is neither shown \
      nor overwritten. \(cause.message)
      """, ErrorCause(cause))
  }
}

extension JSONReader {
  /// Reads a value; what is wrong with it is damage.
  mutating func storedValue<Value: JSONValue>() throws(StorageError) -> Value {
    do throws(JSONError) {
      return try Value.decode(from: &self)
    } catch {
      throw StorageError(corrupt: showing(error))
    }
  }
}

private func write(_ value: some JSONValue) throws(StorageError) -> [UInt8] {
  do throws(JSONError) {
    return try JSON.encode(value)
  } catch {
    throw StorageError(unencodable: error)
  }
}
