/// The failure of a read or write of a stored value, with the key, a message for the program's
/// user, and advice for its developer.
///
/// ```swift
/// if let error = $todos.loadError as? StorageError {
///   page.set("problem", error.message)  // A stored value is damaged. It is kept, but not shown.
///   print(error)  // "todos": A stored value is … A copy is kept under "todos.corrupt". …
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
    /// Any other failure, described by the advice.
    case other

    fileprivate var message: StaticString? {
      switch self {
      case .corrupt: "A stored value is damaged. It is kept, but not shown."
      case .unreadable, .newerVersion, .notMigrated:
        "Another version of this app has stored a value. Update the app, or reload its page."
      case .waiting:
        "Your change is kept for another version of this app. Update the app, or reload its page."
      case .denied: "Access to stored values is denied. Allow it."
      case .quotaExceeded: "There is no room for your change. Free some, and change it again."
      case .nameTooLong, .unencodable: "Your change cannot be stored. Tell the makers of this app."
      case .replaced: "Your change is replaced by another one. Make it again, if needed."
      case .unavailable: "Stored values cannot be reached. Your changes are stored later."
      case .missing, .other: nil
      }
    }
  }

  /// The kind of failure.
  public let reason: Reason
  /// The key of the value; nil if the code that found the failure does not have its name.
  public let key: KeyName?
  /// The details for a developer: the failed call, its place, and the mend.
  public let advice: UTF8Text
  let cause: ErrorCause

  /// Creates an error for a key.
  ///
  /// ```swift
  /// throw StorageError(.other, key: nil, "The results could not be fetched.")
  /// ```
  /// - Parameters:
  ///   - reason: The kind of failure.
  ///   - key: The key of the value, or nil.
  ///   - advice: The details. The person sees them, too, if the reason is ``Reason/other`` or
  ///     ``Reason/missing``.
  public init(_ reason: Reason, key: KeyName?, _ advice: UTF8Text) {
    self.reason = reason
    self.key = key
    self.advice = advice
    cause = ErrorCause()
  }

  /// Creates an error for a key, caused by another error.
  package init(_ reason: Reason, key: KeyName?, _ advice: UTF8Text, _ cause: ErrorCause) {
    self.reason = reason
    self.key = key
    self.advice = advice
    self.cause = cause
  }

  /// The failure and its remedy in words for the program's user: one text for each reason, but the
  /// ``advice`` for ``Reason/other`` and ``Reason/missing``.
  ///
  /// ```swift
  /// page.set("problem", error.message)  // There is no room for your change. Free some, …
  /// ```
  @inline(never)
  public var message: UTF8Text { reason.message.map { UTF8Text(stringLiteral: $0) } ?? advice }

  /// The key, the message and the advice.
  public var text: UTF8Text {
    let message = message
    let details = message == advice ? advice : "\(message) \(advice)"
    return if let key { "\"\(key)\": \(details)" } else { details }
  }

  /// The ``text`` as a string.
  public var description: String { text.description }

  /// Returns whether two errors have the same reason and key; the advice may differ.
  public static func == (left: StorageError, right: StorageError) -> Bool {
    left.reason == right.reason && left.key == right.key
  }
}
