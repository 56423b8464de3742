extension Shared {
  /// Makes a wrapper of a key that must hold a value, when it has been loaded.
  ///
  /// ```swift
  /// Shared<User>.require(.localStorage("user")) { result in … }
  /// ```
  /// Other wrappers of the key show what was loaded, too. A change that is being saved stays; over
  /// one that could not be saved, they say with the `loadError` ``StorageError/Reason/replaced``
  /// that it is lost.
  /// - Parameters:
  ///   - key: Where the value comes from and goes to.
  ///   - completion: Called once: with the wrapper, or with the key's error, which is a
  ///     ``StorageError`` for the reason `missing` where nothing is stored.
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

  /// Points the wrapper at another key and loads it; until it has loaded, the old value shows.
  ///
  /// ```swift
  /// $todos.load(.localStorage("todos-\(user)")) { result in … }
  /// ```
  /// An observer that calls this does not come to depend on the wrapper.
  /// - Parameters:
  ///   - key: The key from now on.
  ///   - completion: Called once, when the key has answered, with the error if there was one.
  public func load(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let value: Value = handle.located.target.value()
    let site = CallSite(fileID: fileID, line: line)
    let references = SharingEnvironment.current.references
    let cell = TypedCell(value, isKeyed: true)
    handle.load(references.writable(key, cell, .byCaller, at: site), completion)
  }
}

extension SharedReader {
  /// Makes a reader of a key that must hold a value, when it has been loaded.
  /// - Parameters:
  ///   - key: Where the value comes from.
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

  /// Points the reader at another key and loads it; until it has loaded, the old value shows.
  ///
  /// ```swift
  /// $hits.load(.search(text)) { result in … }
  /// ```
  /// An observer that calls this does not come to depend on the reader.
  /// - Parameters:
  ///   - key: The key from now on.
  ///   - completion: Called once, when the key has answered, with the error if there was one.
  public func load(
    _ key: some SharedReaderKey<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    completion: @escaping @Sendable (Result<Void, AnyError>) -> Void = { _ in }
  ) {
    let value: Value = handle.located.target.value()
    let site = CallSite(fileID: fileID, line: line)
    let references = SharingEnvironment.current.references
    let cell = TypedCell(value, isKeyed: true)
    handle.load(references.readable(key, cell, .byCaller, at: site), completion)
  }
}

extension Handle {
  /// Points the wrapper at a key's reference and has it loaded.
  fileprivate final func load(_ reference: Cell, _ completion: @escaping CellPersistence.Completion)
  {
    batch {
      point(at: reference)
      reference.load(completion)
    }
  }
}

extension Cell {
  /// Asks the key for its value anew; `done` hears the outcome once, at once for a value without a
  /// store.
  final func load(_ done: @escaping CellPersistence.Completion) {
    guard let persistence else { return done(.success(())) }
    batch { persistence.load(self) { done($0.map { _ in () }) } }
  }
}

extension ReferenceTable {
  /// Loads what must be there: where somebody refers to it, for everybody.
  fileprivate func require<Key: SharedReaderKey>(
    _ key: Key, _ completion: @escaping @Sendable (Result<Key.Value, AnyError>) -> Void
  ) {
    guard let reference = reference(of: key.id, Key.Value.self), reference.hasForm(of: key) else {
      let connection = key._makeConnection().connection
      let continuation = LoadContinuation<Key.Value>(key.label) { result in
        connection?.endLoad()
        completion(
          result.flatMap { $0.map { .success($0) } ?? .failure(missingValue(of: key.label)) })
      }
      return Scheduler.current.with(nil) {
        if let connection {
          connection.load(LoadRequest(continuation))
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

private func missingValue(of key: UTF8Text) -> StorageError {
  StorageError(
    .missing, key: nil,
    "Nothing is stored for \(key), and a value is required. Store one first, or give a default.")
}
