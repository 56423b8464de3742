#if hasFeature(Embedded)
  /// The type that holds whatever went wrong while a value was loaded or saved: any error natively;
  /// a ``StorageError`` in Embedded Swift, which has no `any Error`.
  public typealias AnyError = StorageError

  /// What an error says of itself.
  public func message(of error: AnyError) -> UTF8Text { error.text }

  extension StorageError {
    /// The error itself.
    package static func from(_ error: AnyError, otherwise reason: Reason) -> StorageError { error }
  }
#else
  /// The type that holds whatever went wrong while a value was loaded or saved: any error natively;
  /// a ``StorageError`` in Embedded Swift, which has no `any Error`.
  public typealias AnyError = any Error

  /// What an error says of itself.
  public func message(of error: AnyError) -> UTF8Text { UTF8Text("\(error)" as String) }

  extension StorageError {
    /// The error itself, or one of another type in its own words.
    package static func from(_ error: AnyError, otherwise reason: Reason) -> StorageError {
      error as? StorageError
        ?? StorageError(reason, key: nil, UTF8Text("\(error)" as String), ErrorCause(error))
    }
  }
#endif
