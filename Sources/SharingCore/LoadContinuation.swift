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
  /// What hands the value over, whatever its type.
  package let box: ContinuationBox

  init(_ box: ContinuationBox) {
    self.box = box
  }

  /// A continuation that hands its result to `callback`.
  /// - Parameters:
  ///   - description: Names the key in messages about misuse.
  ///   - callback: Called once, with the value, with nil for the initial value, or with an error.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> UTF8Text = "a shared key",
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void
  ) {
    box = ContinuationBox(.described(description), .callback { callback($0.result()) })
  }

  /// Ends loading with a value.
  public func resume(returning value: Value) {
    resume(with: .success(value))
  }

  /// Ends loading with an error, which becomes `loadError`; the wrapper keeps the value it has.
  public func resume(throwing error: AnyError) {
    box.resume(.failure(error))
  }

  /// Ends loading where nothing is stored: the wrapper shows its default.
  public func resumeReturningInitialValue() {
    box.resume(.nothing)
  }

  /// Ends loading with a value, with nil for the initial value, or with an error.
  public func resume(with result: Result<Value?, AnyError>) {
    Outcome.hand(result) { box.resume($0) }
  }
}
