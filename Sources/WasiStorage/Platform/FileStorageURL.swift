// `.fileStorage` with Foundation's URLs and coders; Embedded Swift has no Foundation.
#if !hasFeature(Embedded)
  import Foundation
  import SharingCore
  import SharingJSON

  extension SharedReaderKey {
    /// A `Codable` document that is stored as JSON in a file.
    ///
    /// ```swift
    /// @Shared(.fileStorage(.documentsDirectory.appending(component: "users.json")))
    /// var users: [User] = []
    /// ```
    /// - Parameters:
    ///   - url: The file.
    ///   - decoder: Reads the JSON; one without settings by default.
    ///   - encoder: Writes the JSON; one that sorts the keys by default.
    @_disfavoredOverload
    public static func fileStorage<Value: Codable>(
      _ url: URL, decoder: JSONDecoder? = nil, encoder: JSONEncoder? = nil
    ) -> Self where Self == FileStorageKey<Value> {
      StoredKey(
        .file(url.documentPath, .immediately, .always),
        .codable(decoder: decoder ?? JSONDecoder(), encoder: encoder))
    }

    /// A document in a file that closures read and write.
    /// - Parameters:
    ///   - url: The file.
    ///   - decode: Returns the value for the file's data; a thrown error becomes `loadError`.
    ///   - encode: Returns the data for a value; a thrown error becomes `saveError`.
    public static func fileStorage<Value>(
      _ url: URL,
      decode: @escaping @Sendable (_ data: Data) throws -> Value,
      encode: @escaping @Sendable (_ value: Value) throws -> Data
    ) -> Self where Self == FileStorageKey<Value> {
      .fileStorage(
        url.documentPath,
        coding: StorageCoding(
          encode: { [UInt8](try encode($0)) }, decode: { try decode(Data($0)) }))
    }

    /// A document that is stored as JSON in a file, as in wasm.
    /// - Parameters:
    ///   - url: The file.
    ///   - saving: When changes are written.
    ///   - following: Whether the value follows changes by other programs.
    public static func fileStorage<Value: JSONValue>(
      _ url: URL, saving: SaveTiming = .immediately, following: StoreFollowing = .always
    ) -> Self where Self == FileStorageKey<Value> {
      .fileStorage(url.documentPath, saving: saving, following: following)
    }

    /// Unavailable for a type that cannot be stored.
    @_disfavoredOverload
    @available(
      *, unavailable,
      message:
        "The value's type has no JSON form. Write @Stored in front of the struct or enum; natively, Codable is enough."
    )
    public static func fileStorage<Value>(
      _ url: URL, decoder: JSONDecoder? = nil, encoder: JSONEncoder? = nil
    ) -> Self where Self == FileStorageKey<Value> {
      fatalError("not available")
    }

    /// A `Codable` document that is stored as JSON in a file.
    /// - Parameters:
    ///   - path: The file's path; a relative one begins at the current folder.
    ///   - saving: When changes are written.
    ///   - following: Whether the value follows changes by other programs.
    @_disfavoredOverload
    public static func fileStorage<Value: Codable>(
      _ path: String, saving: SaveTiming = .immediately, following: StoreFollowing = .always
    ) -> Self where Self == FileStorageKey<Value> {
      StoredKey(.file(path, saving, following), .codable())
    }
  }

  #if !canImport(Darwin)
    extension URL {
      /// The user's folder for documents, as in Apple's Foundation. A declaration in this
      /// platform's Foundation would be preferred.
      @_disfavoredOverload
      public static var documentsDirectory: URL {
        FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
          ?? homeDirectory.appending(component: "Documents", directoryHint: .isDirectory)
      }
    }
  #endif

  extension URL {
    /// The normalized path: wrappers with the same one share their value.
    fileprivate var documentPath: String { standardizedFileURL.path(percentEncoded: false) }
  }
#endif
