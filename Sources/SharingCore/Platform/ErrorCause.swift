#if hasFeature(Embedded)
  /// What an error was made of: not kept in Embedded Swift, whose errors are of known types.
  package struct ErrorCause: Sendable {
    package init() {}
    package init(_ error: StorageError) {}
    package init<Failure: Error>(_ error: Failure) {}
  }
#else
  /// What an error was made of.
  package struct ErrorCause: Sendable {
    fileprivate let error: (any Error)?

    package init() {
      error = nil
    }

    /// What lies beneath an error that says no more than its cause: its own cause, or else the
    /// error.
    package init(_ error: any Error) {
      self.error = (error as? StorageError).map { $0.underlying } ?? error
    }
  }

  extension StorageError {
    /// The error that this one was made of, natively: what a decoder, an encoder, a migration or a
    /// `StorageCoding` of one's own has thrown.
    ///
    /// ```swift
    /// let error = ($todos.loadError as? StorageError)?.underlying as? DecodingError
    /// ```
    public var underlying: (any Error)? { cause.error }
  }
#endif
