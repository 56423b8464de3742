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

  /// Stores a value, and knows which elements of it have changed: for a key that need not encode the
  /// others again.
  ///
  /// The default calls the other `save`.
  /// - Parameter changed: For an array, the positions of the elements that have been changed since
  ///   the last save, ascending, as far as they were changed through `$array[id:]` or `$array[0]`, or
  ///   have come at the end by `append(_:)`; nil when anything may have changed.
  func save(
    _ value: Value, changed: [Int]?, context: SaveContext, continuation: SaveContinuation)

  /// Removes what is stored, now or later, and resumes the continuation exactly once.
  ///
  /// Called for every `reset()`; the default is for stores that cannot remove, and stores the value.
  /// - Parameter initialValue: The wrapper's default, which is the value from now on.
  func reset(to initialValue: Value, continuation: SaveContinuation)
}

extension SharedKey {
  /// Stores the whole value.
  public func save(
    _ value: Value, changed: [Int]?, context: SaveContext, continuation: SaveContinuation
  ) {
    save(value, context: context, continuation: continuation)
  }

  /// Stores the default.
  public func reset(to initialValue: Value, continuation: SaveContinuation) {
    save(initialValue, context: .userInitiated, continuation: continuation)
  }

  /// Does what a wrapper asks for.
  func answer(_ request: SaveRequest, _ value: Value, _ continuation: SaveContinuation) {
    switch request {
    case .save(let context, let changed):
      save(value, changed: changed, context: context, continuation: continuation)
    case .reset: reset(to: value, continuation: continuation)
    }
  }
}
