/// Why a key is asked to store a value.
///
/// A key may put off a `.didSet`, but does a `.userInitiated` now.
public enum SaveContext: Hashable, Sendable {
  /// The value has been changed with `withLock`.
  case didSet
  /// Somebody calls `save()`.
  case userInitiated
}
