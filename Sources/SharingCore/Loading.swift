extension Shared {
  /// Makes a wrapper of a key that must hold a value, when it has been loaded.
  ///
  /// ```swift
  /// Shared<User>.require(.localStorage("user")) { result in … }
  /// ```
  /// - Parameter completion: Called once: with the wrapper, or with the key's error, which is a
  ///   ``StorageError`` for the reason `missing` where nothing is stored.
  public static func require(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<Shared, AnyError>) -> Void
  ) {
    let site = CallSite(fileID: fileID, line: line)
    loadRequired(key) { result in
      completion(
        result.map { value in
          let reference = SharingEnvironment.current.references.writable(
            key, { value }, .byCaller, at: site)
          Outcome.hand(.success(value)) { _ = reference.receive($0, since: nil) }
          return Shared(reference)
        })
    }
  }

  /// Points the wrapper at another key and loads it; until it has loaded, the old value shows.
  ///
  /// ```swift
  /// $todos.load(.localStorage("todos-\(user)")) { result in … }
  /// ```
  /// - Parameter completion: Called once, when the key has answered, with the error if there was one.
  public func load(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let value: Value = box.reference.value()
    let site = CallSite(fileID: fileID, line: line)
    let reference = SharingEnvironment.current.references.writable(
      key, { value }, .byCaller, at: site)
    batch {
      box.point(at: reference)
      load(completion)
    }
  }
}

extension SharedReader {
  /// Makes a reader of a key that must hold a value, when it has been loaded.
  /// - Parameter completion: Called once: with the reader, or with the key's error.
  public static func require(
    _ key: some SharedReaderKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<SharedReader, AnyError>) -> Void
  ) {
    let site = CallSite(fileID: fileID, line: line)
    loadRequired(key) { result in
      completion(
        result.map { value in
          let references = SharingEnvironment.current.references
          let reference = references.readable(key, { value }, .byCaller, at: site)
          Outcome.hand(.success(value)) { _ = reference.receive($0, since: nil) }
          return SharedReader(reference)
        })
    }
  }
}

extension SharedReader {
  /// Points the reader at another key and loads it; until it has loaded, the old value shows.
  ///
  /// ```swift
  /// $hits.load(.search(text)) { result in … }
  /// ```
  /// - Parameter completion: Called once, when the key has answered, with the error if there was one.
  public func load(
    _ key: some SharedReaderKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let value: Value = box.reference.value()
    let references = SharingEnvironment.current.references
    let site = CallSite(fileID: fileID, line: line)
    let reference = references.readable(key, { value }, .byCaller, at: site)
    batch {
      box.point(at: reference)
      load(completion)
    }
  }
}

/// Loads what must be there.
private func loadRequired<Key: SharedReaderKey>(
  _ key: Key, _ completion: @escaping @Sendable (Result<Key.Value, AnyError>) -> Void
) {
  let continuation = LoadContinuation<Key.Value> { result in
    completion(result.flatMap { $0.map { .success($0) } ?? .failure(missingValue) })
  }
  key.load(context: .userInitiated, continuation: continuation)
}

private var missingValue: StorageError {
  StorageError(
    .missing, key: nil,
    "Nothing is stored for the key, and a value is required. Store one first, or give a default.")
}
