/// Hears how a key's saving went; resume it exactly once.
///
/// ```swift
/// func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
///   cache[name] = value
///   continuation.resume()
/// }
/// ```
/// A second resume, and dropping it without one, are reported as issues; the latter counts as
/// ``resume()``.
public struct SaveContinuation: Sendable {
  private let box: ContinuationBox<Void>

  /// A continuation that hands its result to `callback`.
  /// - Parameters:
  ///   - description: Names the key in messages about misuse.
  ///   - callback: Called once, with success or with an error.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> UTF8Text = "",
    callback: @escaping @Sendable (Result<Void, AnyError>) -> Void
  ) {
    box = ContinuationBox(description: description, dropped: (), callback: callback)
  }

  /// Ends saving: the value is stored, or will be without fail.
  public func resume() {
    resume(with: .success(()))
  }

  /// Ends saving with an error, which becomes `saveError`; the value stays in memory.
  public func resume(throwing error: AnyError) {
    resume(with: .failure(error))
  }

  /// Ends saving with success or with an error.
  public func resume(with result: Result<Void, AnyError>) {
    box.resume(with: result)
  }
}
