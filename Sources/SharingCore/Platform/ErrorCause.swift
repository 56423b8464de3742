#if hasFeature(Embedded)
  /// The cause of an error; not kept in Embedded Swift, whose errors have known types.
  package struct ErrorCause: Sendable {
    package init() {}
    package init(_ error: StorageError) {}
    package init<Failure: Error>(_ error: Failure) {}
  }
#else
  /// The cause of an error.
  package struct ErrorCause: Sendable {
    fileprivate let error: (any Error)?

    package init() {
      error = nil
    }

    /// Takes the cause of a `StorageError`, or else the error itself.
    package init(_ error: any Error) {
      self.error = (error as? StorageError).map { $0.underlying } ?? error
    }
  }

  extension StorageError {
    /// The cause of this error, natively: the error that a decoder, an encoder, a migration or your
    /// own `StorageCoding` threw.
    ///
    /// ```swift
    /// let error = ($todos.loadError as? StorageError)?.underlying as? DecodingError
    /// ```
    public var underlying: (any Error)? { cause.error }
  }
#endif
