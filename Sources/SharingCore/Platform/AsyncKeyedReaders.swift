// The asynchronous forms of KeyedReaders.swift: readers of a `SharedKey`.
#if !hasFeature(Embedded)
  extension SharedReader where Value: Sendable {
    /// Points the reader at a writable key and loads it; see the other `load`.
    /// - Throws: The error of the key.
    @_disfavoredOverload
    public func load(
      _ key: some SharedKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      try await answer(isolation: isolation) {
        load(key, fileID: fileID, line: line, completion: $0)
      }
    }

    /// Loads a writable key that must hold a value and creates a reader of it.
    /// - Throws: The error of the key, or a ``StorageError`` with the reason `missing` if nothing
    ///   is stored.
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
