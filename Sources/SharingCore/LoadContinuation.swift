/// Receives the value that a key loads, now or later; resume it exactly once.
///
/// ```swift
/// func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
///   guard let stored = cache[name] else { return continuation.resumeReturningInitialValue() }
///   continuation.resume(returning: stored)
/// }
/// ```
/// A second resume, and dropping it without one, are reported as issues; the latter counts as
/// ``resumeReturningInitialValue()``.
public struct LoadContinuation<Value>: Sendable {
  private let box: ContinuationBox<Value?>

  /// A continuation that hands its result to `callback`.
  /// - Parameters:
  ///   - description: Names the key in messages about misuse.
  ///   - callback: Called once, with the value, with nil for the initial value, or with an error.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> UTF8Text = "",
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void
  ) {
    box = ContinuationBox(description: description, dropped: nil, callback: callback)
  }

  /// Ends loading with a value.
  public func resume(returning value: Value) {
    resume(with: .success(value))
  }

  /// Ends loading with an error, which becomes `loadError`; the wrapper keeps the value it has.
  public func resume(throwing error: AnyError) {
    resume(with: .failure(error))
  }

  /// Ends loading where nothing is stored: the wrapper shows its default.
  public func resumeReturningInitialValue() {
    resume(with: .success(nil))
  }

  /// Ends loading with a value, with nil for the initial value, or with an error.
  public func resume(with result: Result<Value?, AnyError>) {
    box.resume(with: result)
  }
}
