extension Shared {
  /// Loads a key that must hold a value and makes a wrapper of it.
  ///
  /// ```swift
  /// Shared<User>.require(.localStorage("user")) { result in … }
  /// ```
  /// Other wrappers of the key show the loaded value, too. A change that is not saved yet, or could
  /// not be saved, is kept.
  /// - Parameters:
  ///   - key: The key that loads and stores the value.
  ///   - completion: Called once, with the wrapper or with the key's error. If nothing is stored,
  ///     the error is a ``StorageError`` with the reason `missing`.
  public static func require(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<Shared, AnyError>) -> Void
  ) {
    let references = SharingEnvironment.current.references
    let site = CallSite(fileID: fileID, line: line)
    references.require(key) { result in
      completion(
        result.map { value in
          Shared(
            references.writable(key, TypedCell(value, isKeyed: true), .loaded, at: site))
        })
    }
  }

  /// Points the wrapper at another key and loads it. The old value shows until it is loaded.
  ///
  /// ```swift
  /// $todos.load(.localStorage("todos-\(user)")) { result in … }
  /// ```
  /// If an observer calls this, it does not depend on the wrapper.
  /// - Parameters:
  ///   - key: The key from now on.
  ///   - completion: Called once, when the key answers, with its error if it failed.
  public func load(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let value: Value = handle.resolved.target.value()
    let site = CallSite(fileID: fileID, line: line)
    let references = SharingEnvironment.current.references
    let cell = TypedCell(value, isKeyed: true)
    handle.load(references.writable(key, cell, .byCaller, at: site), completion)
  }
}

extension SharedReader {
  /// Loads a key that must hold a value and makes a reader of it.
  /// - Parameters:
  ///   - key: The key that loads the value.
  ///   - completion: Called once: with the reader, or with the key's error.
  public static func require(
    _ key: some SharedReaderKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<SharedReader, AnyError>) -> Void
  ) {
    let references = SharingEnvironment.current.references
    let site = CallSite(fileID: fileID, line: line)
    references.require(key) { result in
      completion(
        result.map { value in
          SharedReader(
            references.readable(key, TypedCell(value, isKeyed: true), .loaded, at: site))
        })
    }
  }

  /// Points the reader at another key and loads it. The old value shows until it is loaded.
  ///
  /// ```swift
  /// $hits.load(.search(text)) { result in … }
  /// ```
  /// If an observer calls this, it does not depend on the reader.
  /// - Parameters:
  ///   - key: The key from now on.
  ///   - completion: Called once, when the key answers, with its error if it failed.
  public func load(
    _ key: some SharedReaderKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let value: Value = handle.resolved.target.value()
    let site = CallSite(fileID: fileID, line: line)
    let references = SharingEnvironment.current.references
    let cell = TypedCell(value, isKeyed: true)
    handle.load(references.readable(key, cell, .byCaller, at: site), completion)
  }

  // Readers of keys that an extension of `SharedKey` names; see Shared+Keys.swift.

  /// Loads a writable key that must hold a value and makes a reader of it.
  ///
  /// ```swift
  /// SharedReader<Int>.require(.hits) { result in … }  // extension SharedKey { static var hits … }
  /// ```
  /// - Parameters:
  ///   - key: The key that loads the value.
  ///   - completion: Called once: with the reader, or with the key's error. If nothing is stored,
  ///     the error is a ``StorageError`` with the reason `missing`.
  @_disfavoredOverload
  public static func require(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<SharedReader, AnyError>) -> Void
  ) {
    require(key, fileID: fileID, line: line, completion: completion)
  }

  /// Points the reader at a writable key and loads it. The old value shows until it is loaded.
  ///
  /// ```swift
  /// $hits.load(.hits) { result in … }  // extension SharedKey { static var hits … }
  /// ```
  /// - Parameters:
  ///   - key: The key from now on.
  ///   - completion: Called once, when the key answers, with its error if it failed.
  @_disfavoredOverload
  public func load(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    load(key, fileID: fileID, line: line, completion: completion)
  }
}

extension Handle {
  /// Points the wrapper at a key's reference and loads that.
  fileprivate final func load(_ reference: Cell, _ completion: @escaping CellPersistence.Completion)
  {
    batch {
      point(at: reference)
      reference.load(completion)
    }
  }
}

extension Cell {
  /// Loads the value from the key again. Calls `done` once with the outcome; without a store, at
  /// once.
  final func load(_ done: @escaping CellPersistence.Completion) {
    guard let persistence else { return done(.success(())) }
    batch { persistence.load(self) { done($0.map { _ in () }) } }
  }
}

extension ReferenceTable {
  /// Loads a required value. If wrappers of the key exist, they show the loaded value, too.
  fileprivate func require<Key: SharedReaderKey>(
    _ key: Key, _ completion: @escaping @Sendable (Result<Key.Value, AnyError>) -> Void
  ) {
    guard let reference = reference(of: key.id, Key.Value.self) else {
      let connection = key._makeConnection().connection
      let continuation = LoadContinuation<Key.Value>(key.label) { [self] result in
        connection?.endLoad()
        // Wrappers that were made meanwhile show the value, too: it is loaded through them.
        if case .success(_?) = result, isListed(key) { return require(key, completion) }
        completion(
          result.flatMap { $0.map { .success($0) } ?? .failure(missingValue(of: key.label)) })
      }
      return Scheduler.current.with(nil) {
        if let connection {
          connection.load(.continuation(continuation.continuation), isFirst: false)
        } else {
          continuation.resumeReturningInitialValue()
        }
      }
    }
    guard let persistence = reference.persistence else {
      return completion(.success(reference.current))
    }
    batch {
      persistence.load(reference) { result in
        completion(
          result.flatMap {
            $0 ? .success(reference.current) : .failure(missingValue(of: key.label))
          })
      }
    }
  }
}

extension ReferenceTable {
  /// Whether there is a reference of a key.
  private func isListed<Key: SharedReaderKey>(_ key: Key) -> Bool {
    reference(of: key.id, Key.Value.self) != nil
  }
}

private func missingValue(of key: UTF8Text) -> StorageError {
  StorageError(
    .missing, key: nil,
    "Nothing is stored for \(key), and a value is required. Store one first, or give a default.")
}
