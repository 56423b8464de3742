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
  /// Called once for each turn that changes the value, and for each `save()`.
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)

  /// Removes the stored value, now or later, and resumes the continuation exactly once.
  ///
  /// Called for each `reset()`. The default implementation is for stores that cannot remove: it
  /// stores `initialValue`.
  /// - Parameters:
  ///   - initialValue: The wrapper's default, which is now the value.
  ///   - continuation: Receives the outcome.
  func reset(to initialValue: Value, continuation: SaveContinuation)
}

extension SharedKey {
  /// Stores the default.
  public func reset(to initialValue: Value, continuation: SaveContinuation) {
    save(initialValue, context: .userInitiated, continuation: continuation)
  }

  /// Returns a connection that calls the key's methods.
  public func _makeConnection() -> _SharedConnection { _SharedConnection(KeyConnection(self)) }
}
