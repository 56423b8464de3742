/// The reason for a load.
///
/// ```swift
/// func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
///   if case .userInitiated = context { cache.removeAll() }
///   …
/// }
/// ```
public enum LoadContext<Value> {
  /// The first wrapper of the key is created; the value is its default.
  case initialValue(Value)
  /// The program calls `load()`, `load(key)` or `init(require:)`.
  case userInitiated

  /// The default of the wrapper that is being created, else nil.
  public var initialValue: Value? {
    guard case .initialValue(let value) = self else { return nil }
    return value
  }
}

extension LoadContext: Sendable where Value: Sendable {}
extension LoadContext: Equatable where Value: Equatable {}
extension LoadContext: Hashable where Value: Hashable {}

/// The reason for a save.
///
/// A key may delay a `.didSet`; it does a `.userInitiated` save now.
public enum SaveContext: Hashable, Sendable {
  /// The program changed the value.
  case didSet
  /// The program calls `save()`.
  case userInitiated
}
