// The asynchronous forms of what has a completion closure elsewhere. They stay on the caller's
// actor, and when they return, observers of that actor have run. Embedded Swift for wasm has no
// concurrency.
#if !hasFeature(Embedded)
  /// Waits for an answer on the caller's actor, and for the observers there that it makes run.
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
    /// Asks the key for its value anew, and waits until it has answered, on the caller's actor:
    /// what observes the value there has run when this returns.
    ///
    /// ```swift
    /// try await $count.load()
    /// ```
    /// - Throws: What the key throws; the wrapper keeps its value.
    public func load(isolation: isolated (any Actor)? = #isolation) async throws {
      try await answer(isolation: isolation) { load($0) }
    }
  }

  extension Shared where Value: Sendable {
    /// Has the key store the value now, and waits until it has.
    ///
    /// ```swift
    /// try await $draft.save()
    /// ```
    /// - Throws: What the key throws; the value stays in memory.
    public func save(isolation: isolated (any Actor)? = #isolation) async throws {
      try await answer(isolation: isolation) { save($0) }
    }

    /// Points the wrapper at another key and loads it; until it has loaded, the old value shows.
    ///
    /// ```swift
    /// try await $todos.load(.localStorage("todos-\(user)"))
    /// ```
    /// - Throws: What the key throws.
    public func load(
      _ key: some SharedKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      try await answer(isolation: isolation) {
        load(key, fileID: fileID, line: line, completion: $0)
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
      require key: some SharedKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      self = try await answer(isolation: isolation) {
        Self.require(key, fileID: fileID, line: line, completion: $0)
      }
    }
  }

  extension SharedReader where Value: Sendable {
    /// A reader of a key that must hold a value, once that has been loaded.
    /// - Throws: What the key throws; a ``StorageError`` for the reason `missing` where nothing is
    ///   stored.
    public init(
      require key: some SharedReaderKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      self = try await answer(isolation: isolation) {
        Self.require(key, fileID: fileID, line: line, completion: $0)
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
      _ key: some SharedReaderKey<Value>, isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
      try await answer(isolation: isolation) {
        load(key, fileID: fileID, line: line, completion: $0)
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
