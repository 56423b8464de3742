/// Why a key is asked for its value.
///
/// ```swift
/// func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
///   if case .userInitiated = context { cache.removeAll() }
///   …
/// }
/// ```
public enum LoadContext<Value> {
  /// A wrapper is made for the first time; the value is its default.
  case initialValue(Value)
  /// Somebody calls `load()`, `load(key)` or `init(require:)`.
  case userInitiated

  /// The wrapper's default, when one is being made.
  public var initialValue: Value? {
    guard case .initialValue(let value) = self else { return nil }
    return value
  }
}

extension LoadContext: Sendable where Value: Sendable {}
extension LoadContext: Equatable where Value: Equatable {}
extension LoadContext: Hashable where Value: Hashable {}

/// Why a key is asked to store a value.
///
/// A key may put off a `.didSet`, but does the other now.
public enum SaveContext: Hashable, Sendable {
  /// The value has been changed with `withLock`.
  case didSet
  /// Somebody calls `save()`.
  case userInitiated
}
