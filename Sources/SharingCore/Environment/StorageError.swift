/// The failure of a read or write of a stored value, with the key, the place and a remedy.
///
/// ```swift
/// if let error = $todos.loadError as? StorageError, case .corrupt(let offset) = error.reason {
///   print("damaged at byte \(offset): \(error)")
/// }
/// ```
/// In Embedded Swift, `loadError` and `saveError` have this type. It is a class so that a value
/// without an error takes one word of memory, not seven.
public final class StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Reason: Equatable, Sendable {
    /// The stored bytes do not decode and are no JSON. They are copied before they are overwritten.
    /// `offset` counts from 0.
    case corrupt(offset: Int)
    /// The stored text is JSON that the value's type does not decode, such as that of another
    /// release; it is neither shown nor overwritten. `offset` counts from 0.
    case unreadable(offset: Int)
    /// The host denies access: a sandboxed page, blocked site data, a folder without write
    /// permission.
    case denied
    /// The storage quota is exceeded or the disk is full.
    case quotaExceeded
    /// The name is longer than the store allows.
    case nameTooLong
    /// The value cannot be encoded, such as a number that is not finite.
    case unencodable
    /// A newer program stored the value, in this version; it is neither shown nor overwritten.
    case newerVersion(Int)
    /// An older version of the value could not be migrated; it is neither shown nor overwritten.
    case notMigrated
    /// Another release has stored the value. The change is kept in the browser until a program of
    /// that release stores it.
    case waiting
    /// Another program's stored value replaced a local change that could not be saved.
    case replaced
    /// The store is unreachable; local changes are kept and stored later.
    case unavailable
    /// The store has no value for the key, and the program requires one.
    case missing
    /// Any other failure, described by the message.
    case other
  }

  /// The kind of failure.
  public let reason: Reason
  /// The key of the value; nil if the code that found the failure does not have its name.
  public let key: KeyName?
  /// The problem and its remedy, in a sentence or two.
  public let message: UTF8Text
  let cause: ErrorCause

  /// Creates an error for a key.
  public init(_ reason: Reason, key: KeyName?, _ message: UTF8Text) {
    self.reason = reason
    self.key = key
    self.message = message
    cause = ErrorCause()
  }

  /// Creates an error for a key, caused by another error.
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

  /// Returns whether two errors have the same reason and key; the messages may differ.
  public static func == (left: StorageError, right: StorageError) -> Bool {
    left.reason == right.reason && left.key == right.key
  }
}
