/// Why a key is asked to store a value.
///
/// A key may put off a `.didSet`, but does the others now.
public enum SaveContext: Hashable, Sendable {
  /// The value has been changed with `withLock`.
  case didSet
  /// Somebody calls `save()`.
  case userInitiated
  /// Somebody calls `reset()`: the value is the default, and a key that can removes what is stored.
  case reset
}
