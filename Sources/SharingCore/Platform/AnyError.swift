#if hasFeature(Embedded)
  /// The type of an error of a load or save: any error natively; a ``StorageError`` in Embedded
  /// Swift, which has no `any Error`.
  public typealias AnyError = StorageError

  /// Returns the text of an error for the program's user.
  public func message(of error: AnyError) -> UTF8Text { error.message }

  extension StorageError {
    /// Returns the error itself.
    package static func from(_ error: AnyError, otherwise reason: Reason) -> StorageError { error }
  }

  /// The cause of an error; not kept in Embedded Swift, whose errors have known types.
  package struct ErrorCause: Sendable {
    package init() {}
    package init(_ error: StorageError) {}
    package init<Failure: Error>(_ error: Failure) {}
  }
#else
  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The type that holds whatever went wrong while a value was loaded or saved: any error natively;
  /// a ``StorageError`` in Embedded Swift, which has no `any Error`.
  public typealias AnyError = any Error

  /// Returns the text of an error for the program's user.
  ///
  /// ```swift
  /// page.bind("problem") { $count.saveError.map { message(of: $0) } ?? "" }
  /// ```
  /// That is the message of a ``StorageError``. Natively it is also the `errorDescription` of a
  /// `LocalizedError`, and of others the description, or what reflection shows.
  public func message(of error: AnyError) -> UTF8Text {
    if let error = error as? StorageError { return error.message }
    return UTF8Text((error as? any LocalizedError)?.errorDescription ?? "\(error)")
  }

  extension StorageError {
    /// Returns the error itself if it is a `StorageError`, else a new one with the error's text.
    package static func from(_ error: AnyError, otherwise reason: Reason) -> StorageError {
      error as? StorageError
        ?? StorageError(reason, key: nil, SharingCore.message(of: error), ErrorCause(error))
    }
  }

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
