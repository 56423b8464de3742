// The asynchronous forms of KeyedReaders.swift: what a key of `SharedKey` can do for a reader.
#if !hasFeature(Embedded)
  extension SharedReader where Value: Sendable {
    /// Points the reader at a key that could also be written, and loads it; see the other `load`.
    /// - Throws: What the key throws.
    @_disfavoredOverload
    public func load(
      _ key: some SharedKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      try await answer(isolation: isolation) {
        load(key, fileID: fileID, line: line, completion: $0)
      }
    }

    /// A reader of a key that could also be written and must hold a value.
    /// - Throws: What the key throws; a ``StorageError`` for the reason `missing` where nothing is
    ///   stored.
    @_disfavoredOverload
    public init(
      require key: some SharedKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      self = try await answer(isolation: isolation) {
        Self.require(key, fileID: fileID, line: line, completion: $0)
      }
    }
  }
#endif
