/// A key that can also store a value.
///
/// ```swift
/// extension CacheKey: SharedKey {
///   func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
///     cache[name] = value
///     continuation.resume()
///   }
/// }
/// ```
public protocol SharedKey<Value>: SharedReaderKey {
  /// Stores a value, now or later, and resumes the continuation exactly once.
  ///
  /// Called once per turn in which the value was changed, and for every `save()`.
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)
}
