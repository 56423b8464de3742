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

  /// Removes what is stored, now or later, and resumes the continuation exactly once.
  ///
  /// Called for every `reset()`; the default is for stores that cannot remove, and stores the
  /// value.
  /// - Parameters:
  ///   - initialValue: The wrapper's default, which is the value from now on.
  ///   - continuation: Hears how it went.
  func reset(to initialValue: Value, continuation: SaveContinuation)
}

extension SharedKey {
  /// Stores the default.
  public func reset(to initialValue: Value, continuation: SaveContinuation) {
    save(initialValue, context: .userInitiated, continuation: continuation)
  }

  /// Calls the key's methods.
  public func _makeConnection() -> _SharedConnection { _SharedConnection(KeyConnection(self)) }
}
