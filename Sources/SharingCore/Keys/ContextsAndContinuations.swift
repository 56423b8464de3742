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

/// Receives the value that a key loads, now or later. Resume it exactly once.
///
/// ```swift
/// func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
///   guard let stored = cache[name] else { return continuation.resumeReturningInitialValue() }
///   continuation.resume(returning: stored)
/// }
/// ```
/// A second resume is reported as an issue. So is dropping it without one, which counts as
/// ``resumeReturningInitialValue()``.
public struct LoadContinuation<Value>: Sendable {
  package let continuation: AnyContinuation

  init(_ continuation: AnyContinuation) {
    self.continuation = continuation
  }

  /// Creates a continuation that passes its result to `callback`.
  /// - Parameters:
  ///   - description: Names the key in messages about misuse.
  ///   - callback: Called once, with the value, with nil for the initial value, or with an error.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> UTF8Text = "a shared key",
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void
  ) {
    continuation = AnyContinuation(description) { outcome in
      let result: Result<Value?, AnyError> = outcome.result()
      return { callback(result) }
    }
  }

  /// Ends loading with a value.
  public func resume(returning value: Value) {
    resume(with: .success(value))
  }

  /// Ends loading with an error, which becomes `loadError`. The wrapper keeps its value.
  public func resume(throwing error: AnyError) {
    continuation.resume(.failure(error))
  }

  /// Ends loading because nothing is stored: the wrapper shows its default.
  public func resumeReturningInitialValue() {
    continuation.resume(.nothing)
  }

  /// Ends loading with a value, with nil for the initial value, or with an error.
  public func resume(with result: Result<Value?, AnyError>) {
    Outcome.deliver(result) { continuation.resume($0) }
  }
}

/// Receives the outcome of a save. Resume it exactly once.
///
/// ```swift
/// func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
///   cache[name] = value
///   continuation.resume()
/// }
/// ```
/// A second resume is reported as an issue. So is dropping it without one, which counts as
/// ``resume()``.
public struct SaveContinuation: Sendable {
  package let continuation: AnyContinuation

  init(_ continuation: AnyContinuation) {
    self.continuation = continuation
  }

  /// Creates a continuation that passes its result to `callback`.
  /// - Parameters:
  ///   - description: Names the key in messages about misuse.
  ///   - callback: Called once, with success or with an error.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> UTF8Text = "a shared key",
    callback: @escaping @Sendable (Result<Void, AnyError>) -> Void
  ) {
    continuation = AnyContinuation(description) { outcome in
      let completion = outcome.completion
      return { callback(completion) }
    }
  }

  /// Ends saving with success: the value is stored, or will certainly be.
  public func resume() {
    continuation.resume(.nothing)
  }

  /// Ends saving with an error, which becomes `saveError`. The value stays in memory.
  public func resume(throwing error: AnyError) {
    continuation.resume(.failure(error))
  }

  /// Ends saving with success or with an error.
  public func resume(with result: Result<Void, AnyError>) {
    switch result {
    case .success: resume()
    case .failure(let error): resume(throwing: error)
    }
  }
}
