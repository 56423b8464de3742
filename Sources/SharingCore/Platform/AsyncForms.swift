// The asynchronous forms of what has a completion closure elsewhere. Embedded Swift for wasm has no
// concurrency.
#if !hasFeature(Embedded)
  extension SharedReadable where Value: Sendable {
    /// Asks the key for its value anew, and waits until it has answered.
    ///
    /// ```swift
    /// try await $count.load()
    /// ```
    /// - Throws: What the key throws; the wrapper keeps its value.
    public func load() async throws {
      try await withCheckedThrowingContinuation { continuation in
        load { continuation.resume(with: $0) }
      }
    }
  }

  extension Shared where Value: Sendable {
    /// Has the key store the value now, and waits until it has.
    ///
    /// ```swift
    /// try await $draft.save()
    /// ```
    /// - Throws: What the key throws; the value stays in memory.
    public func save() async throws {
      try await withCheckedThrowingContinuation { continuation in
        save { continuation.resume(with: $0) }
      }
    }

    /// Points the wrapper at another key and loads it; until it has loaded, the old value shows.
    ///
    /// ```swift
    /// try await $todos.load(.localStorage("todos-\(user)"))
    /// ```
    /// - Throws: What the key throws.
    public func load(
      _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      try await withCheckedThrowingContinuation { continuation in
        load(key, fileID: fileID, line: line) { continuation.resume(with: $0) }
      }
    }

    /// A wrapper of a key that must hold a value, once that has been loaded.
    ///
    /// ```swift
    /// let user = try await Shared<User>(require: .localStorage("user"))
    /// ```
    /// - Throws: What the key throws; a ``StorageError`` for the reason `missing` where nothing is
    ///   stored.
    public init(
      require key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      self = try await withCheckedThrowingContinuation { continuation in
        Self.require(key, fileID: fileID, line: line) { continuation.resume(with: $0) }
      }
    }
  }

  extension SharedReader where Value: Sendable {
    /// A reader of a key that must hold a value, once that has been loaded.
    /// - Throws: What the key throws; a ``StorageError`` for the reason `missing` where nothing is
    ///   stored.
    public init(
      require key: some SharedReaderKey<Value>,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      self = try await withCheckedThrowingContinuation { continuation in
        Self.require(key, fileID: fileID, line: line) { continuation.resume(with: $0) }
      }
    }
  }

  extension SharedReader where Value: Sendable {
    /// Points the reader at another key and loads it; until it has loaded, the old value shows.
    ///
    /// ```swift
    /// try await $hits.load(.search(text))
    /// ```
    /// - Throws: What the key throws.
    public func load(
      _ key: some SharedReaderKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      try await withCheckedThrowingContinuation { continuation in
        load(key, fileID: fileID, line: line) { continuation.resume(with: $0) }
      }
    }
  }

  extension SharedChangeTracker {
    /// Runs an asynchronous operation whose changes of shared state count; see the other `track`.
    ///
    /// ```swift
    /// await tracker.track {
    ///   await model.refresh()
    ///   $count.assert { $0 = 1 }
    /// }
    /// ```
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    nonisolated(nonsending) public func track<Output, Failure: Error>(
      _ operation: nonisolated(nonsending) () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
      var outcome: Result<Output, Failure>?
      changes.scopeOpens(1)
      await ChangeRecorder.with(changes) { outcome = await Result(of: operation) }
      changes.scopeOpens(-1)
      return try outcome!.get()
    }

    /// Runs an asynchronous operation whose changes no tracker hears of, not even one whose scope
    /// this is in.
    nonisolated(nonsending) package static func withoutTracker<Output, Failure: Error>(
      _ operation: nonisolated(nonsending) () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
      var outcome: Result<Output, Failure>?
      await ChangeRecorder.with(nil) { outcome = await Result(of: operation) }
      return try outcome!.get()
    }
  }
#endif
