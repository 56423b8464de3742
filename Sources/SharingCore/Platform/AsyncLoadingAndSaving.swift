// The asynchronous forms of functions with a completion closure. They stay on the caller's actor.
// Before they return, observers of that actor run. Embedded Swift for wasm has no concurrency.
#if !hasFeature(Embedded)
  /// Waits for an answer on the caller's actor, and for the observers that run there because of it.
  func answer<Output: Sendable>(
    isolation: isolated (any Actor)?,
    _ ask: (@escaping @Sendable (Result<Output, AnyError>) -> Void) -> Void
  ) async throws -> Output {
    let outcome: Result<Output, AnyError> =
      await withCheckedContinuation(isolation: isolation) { continuation in
        ask { outcome in Scheduler.current.afterTurn { continuation.resume(returning: outcome) } }
      }
    Observer.runAll(leftTo: isolation)
    return try outcome.get()
  }

  extension SharedReadable where Value: Sendable {
    /// Loads the value from the key again and waits for it on the caller's actor. Observers of the
    /// value there have run when this returns.
    ///
    /// ```swift
    /// try await $count.load()
    /// ```
    /// - Throws: The error of the key; the wrapper keeps its value.
    public func load(isolation: isolated (any Actor)? = #isolation) async throws {
      try await answer(isolation: isolation) { load($0) }
    }
  }

  extension Shared where Value: Sendable {
    /// Stores the value now and waits for the key to finish.
    ///
    /// ```swift
    /// try await $draft.save()
    /// ```
    /// - Throws: The error of the key; the value stays in memory.
    public func save(isolation: isolated (any Actor)? = #isolation) async throws {
      try await answer(isolation: isolation) { save($0) }
    }

    /// Points the wrapper at another key and loads it. The old value shows until it is loaded.
    ///
    /// ```swift
    /// try await $todos.load(.localStorage("todos-\(user)"))
    /// ```
    /// - Throws: The error of the key.
    public func load(
      _ key: some SharedKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      try await answer(isolation: isolation) {
        load(key, fileID: fileID, line: line, completion: $0)
      }
    }

    /// Loads a key that must hold a value and creates a wrapper of it.
    ///
    /// ```swift
    /// let user = try await Shared<User>(require: .localStorage("user"))
    /// ```
    /// - Throws: The error of the key, or a ``StorageError`` with the reason `missing` if nothing
    ///   is stored.
    public init(
      require key: some SharedKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      self = try await answer(isolation: isolation) {
        Self.require(key, fileID: fileID, line: line, completion: $0)
      }
    }
  }

  extension SharedReader where Value: Sendable {
    /// Loads a key that must hold a value and creates a reader of it.
    /// - Throws: The error of the key, or a ``StorageError`` with the reason `missing` if nothing
    ///   is stored.
    public init(
      require key: some SharedReaderKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      self = try await answer(isolation: isolation) {
        Self.require(key, fileID: fileID, line: line, completion: $0)
      }
    }

    /// Points the reader at another key and loads it. The old value shows until it is loaded.
    ///
    /// ```swift
    /// try await $hits.load(.search(text))
    /// ```
    /// - Throws: The error of the key.
    public func load(
      _ key: some SharedReaderKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      try await answer(isolation: isolation) {
        load(key, fileID: fileID, line: line, completion: $0)
      }
    }

    // Readers of keys that an extension of `SharedKey` names; see Keys/Shared+Keys.swift.

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

  extension SharedChangeTracker {
    /// Runs an asynchronous operation and tracks its changes; see the other `track`.
    ///
    /// ```swift
    /// await tracker.track {
    ///   await model.refresh()
    ///   $count.assert { $0 = 1 }
    /// }
    /// ```
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
    nonisolated(nonsending) public func track<Output, Failure: Error>(
      _ operation: nonisolated(nonsending) () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
      var outcome: Result<Output, Failure>?
      changes.scopeOpens(1)
      await ChangeRecorder.with(changes) { outcome = await Result(of: operation) }
      changes.scopeOpens(-1)
      return try outcome!.get()
    }

    /// Runs an asynchronous operation without tracking its changes, even within the scope of a
    /// tracker.
    nonisolated(nonsending) package static func withoutTracker<Output, Failure: Error>(
      _ operation: nonisolated(nonsending) () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
      var outcome: Result<Output, Failure>?
      await ChangeRecorder.with(nil) { outcome = await Result(of: operation) }
      return try outcome!.get()
    }
  }
#endif
