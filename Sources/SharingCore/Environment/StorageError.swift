/// Why a stored value could not be read or written: which key, what is wrong, where, and what
/// helps.
///
/// ```swift
/// if let error = $todos.loadError as? StorageError, case .corrupt(let offset) = error.reason {
///   print("damaged at byte \(offset): \(error)")
/// }
/// ```
/// In Embedded Swift, `loadError` and `saveError` are of this very type. It is a class so that a
/// value that has no error pays for one word and not for seven.
public final class StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public enum Reason: Equatable, Sendable {
    /// The stored bytes do not decode; `offset` counts from 0.
    case corrupt(offset: Int)
    /// The host refuses: a sandboxed page, blocked site data, a folder that may not be written.
    case denied
    /// There is no room: the storage quota or the disk is full.
    case quotaExceeded
    /// The name is longer than the store takes.
    case nameTooLong
    /// The value has no form that can be stored, such as a number that is not finite.
    case unencodable
    /// A newer program has stored the value, in that version; it is neither shown nor overwritten.
    case newerVersion(Int)
    /// An older version of the value could not be migrated; it is neither shown nor overwritten.
    case notMigrated
    /// Another program has stored a value over which a change that could not be saved was lost.
    case replaced
    /// The store cannot be reached now: what was changed is kept, and stored when it can be.
    case unavailable
    /// The store holds nothing for the key, and a value was required.
    case missing
    /// Anything else; the message says what.
    case other
  }

  /// What kind of trouble it is.
  public let reason: Reason
  /// The key it happened to; nil where whoever found it out does not know the key's name.
  public let key: KeyName?
  /// What happened and what helps, in a sentence or two.
  public let message: UTF8Text
  let cause: ErrorCause

  /// An error for a key.
  public init(_ reason: Reason, key: KeyName?, _ message: UTF8Text) {
    self.reason = reason
    self.key = key
    self.message = message
    cause = ErrorCause()
  }

  /// An error for a key that was made of another error.
  package init(_ reason: Reason, key: KeyName?, _ message: UTF8Text, _ cause: ErrorCause) {
    self.reason = reason
    self.key = key
    self.message = message
    self.cause = cause
  }

  /// The key and the message.
  public var text: UTF8Text {
    if let key { "\"\(key)\": \(message)" } else { message }
  }

  /// The ``text`` as a string.
  public var description: String { text.description }

  /// Whether two errors are about the same trouble with the same key, however worded.
  public static func == (left: StorageError, right: StorageError) -> Bool {
    left.reason == right.reason && left.key == right.key
  }
}
