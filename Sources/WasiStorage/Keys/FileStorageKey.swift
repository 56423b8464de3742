import SharingCore
import SharingJSON

extension SharedReaderKey {
  /// A document that is kept as JSON in a file; in a browser in the page's `localStorage`, in the
  /// item `file:<path>`.
  ///
  /// ```swift
  /// @Shared(.fileStorage("users.json")) var users: [User] = []
  /// ```
  /// See ``StoredKey`` for the rules of all stored values, and ``DocumentStore`` for files. An
  /// empty file counts as missing, unless the document's encoding decodes it to a value.
  /// - Parameters:
  ///   - path: The file's path. A relative path starts at the current folder or, under WASI, at the
  ///     first preopened folder.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  public static func fileStorage<Value: JSONValue>(
    _ path: String, saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) -> Self where Self == FileStorageKey<Value> {
    StoredKey(.file(path, saving, following), .json)
  }

  /// A document that is kept in a file in a custom encoding, or as JSON with a version.
  ///
  /// ```swift
  /// @Shared(.fileStorage("users.json", coding: .json(version: 2))) var users: [User] = []
  /// ```
  /// - Parameters:
  ///   - path: The file's path.
  ///   - coding: The encoding.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows changes by other tabs and programs.
  public static func fileStorage<Value>(
    _ path: String, coding: StorageCoding<Value>, saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == FileStorageKey<Value> {
    StoredKey(.file(path, saving, following), coding)
  }
}

/// A key that keeps a document in a file; use `.fileStorage(_:)`.
public typealias FileStorageKey<Value: Sendable> = StoredKey<Value>

extension StoredItem {
  static func file(
    _ path: String, _ saving: SaveTiming, _ following: StoreFollowing
  ) -> StoredItem {
    let stores = SharingEnvironment.current.stores
    return StoredItem(
      KeyName(prefix: stores.filePrefix, path), in: DefaultStores.forKey(.files) { $0.files },
      .document(".fileStorage"), saving, following, kind: .document)
  }
}
