/// Why a key is asked to store a value.
///
/// A key may put off a `.didSet`, but does the other now.
public enum SaveContext: Hashable, Sendable {
  /// The value has been changed with `withLock`.
  case didSet
  /// Somebody calls `save()`.
  case userInitiated
}

/// What a key is asked for when a value is saved.
enum SaveRequest {
  /// To store the value; for an array, with the positions of the elements that have changed since the
  /// last save, where that is known.
  case save(SaveContext, changed: [Int]?)
  /// To remove what is stored.
  case reset
}
