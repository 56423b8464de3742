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
  private let box: ContinuationBox

  init(_ box: ContinuationBox) {
    self.box = box
  }

  /// A continuation that hands its result to `callback`.
  /// - Parameters:
  ///   - description: Names the key in messages about misuse.
  ///   - callback: Called once, with success or with an error.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> UTF8Text = "a shared key",
    callback: @escaping @Sendable (Result<Void, AnyError>) -> Void
  ) {
    box = ContinuationBox(.described(description), .callback { callback($0.completion) })
  }

  /// Ends saving: the value is stored, or will be without fail.
  public func resume() {
    box.resume(.nothing)
  }

  /// Ends saving with an error, which becomes `saveError`; the value stays in memory.
  public func resume(throwing error: AnyError) {
    box.resume(.failure(error))
  }

  /// Ends saving with success or with an error.
  public func resume(with result: Result<Void, AnyError>) {
    switch result {
    case .success: resume()
    case .failure(let error): resume(throwing: error)
    }
  }
}
