import SharingCore

extension SharedReaderKey {
  /// A document that is kept as JSON in a file; in a browser in the page's `localStorage`, as the
  /// item `file:` and the path.
  ///
  /// ```swift
  /// @Shared(.fileStorage("users.json")) var users: [User] = []
  /// ```
  /// See ``StoredKey`` for what holds of every stored value, and ``DocumentStore`` for files. A
  /// file of zero bytes is as good as none, unless the document's encoding makes a value of it.
  /// - Parameters:
  ///   - path: The file's path. A relative one begins natively at the current folder, under WASI at
  ///     the first preopened one.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows what others store.
  public static func fileStorage<Value: JSONValue>(
    _ path: String, saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) -> Self where Self == FileStorageKey<Value> {
    StoredKey(json: .file(path, saving, following))
  }

  /// A document that is kept in a file in an encoding of its own, or as JSON with a version.
  ///
  /// ```swift
  /// @Shared(.fileStorage("users.json", coding: .json(version: 2))) var users: [User] = []
  /// ```
  /// - Parameters:
  ///   - path: The file's path.
  ///   - coding: How the value is written.
  ///   - saving: When changes are written.
  ///   - following: Whether the value follows what others store.
  public static func fileStorage<Value>(
    _ path: String, coding: @autoclosure @escaping @Sendable () -> StorageCoding<Value>,
    saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) -> Self where Self == FileStorageKey<Value> {
    StoredKey(.file(path, saving, following), coding)
  }

  /// A document that is kept in a file as one's own closures write and read it.
  ///
  /// ```swift
  /// extension SharedKey where Self == FileStorageKey<[UInt8]> {
  ///   static var picture: Self { .fileStorage("picture.png", decode: { $0 }, encode: { $0 }) }
  /// }
  /// ```
  /// - Parameters:
  ///   - path: The file's path.
  ///   - decode: Makes a value of the file's bytes; what it throws becomes `loadError`.
  ///   - encode: Makes bytes of the value; what it throws becomes `saveError`.
  public static func fileStorage<Value>(
    _ path: String,
    decode: @escaping @Sendable (_ bytes: [UInt8]) throws(AnyError) -> Value,
    encode: @escaping @Sendable (_ value: Value) throws(AnyError) -> [UInt8]
  ) -> Self where Self == FileStorageKey<Value> {
    .fileStorage(path, coding: StorageCoding(encode: encode, decode: decode))
  }
}

/// A key that keeps a document in a file; use `.fileStorage(_:)`.
public typealias FileStorageKey<Value: Sendable> = StoredKey<Value>

/// The id of a ``FileStorageKey``: two are equal that stand for one path in one store.
public typealias FileStorageKeyID = StoredKeyID

extension StoredKeyID {
  fileprivate static func file(
    _ path: String, _ saving: SaveTiming, _ following: StoreFollowing
  ) -> StoredKeyID {
    let stores = SharingEnvironment.current.stores
    return StoredKeyID(
      KeyName(prefix: stores.filePrefix, path), in: DefaultStores.forKey(.files) { $0.files },
      .document(".fileStorage"), saving, following, isDocument: true)
  }
}
