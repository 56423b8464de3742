/// Receives what a key learns of its value after loading: changes from outside, errors, loading.
///
/// ```swift
/// func subscribe(
///   context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
/// ) -> SharedSubscription {
///   let token = feed.onChange { subscriber.yield($0) }
///   return SharedSubscription { token.cancel() }
/// }
/// ```
public struct SharedSubscriber<Value>: Sendable {
  private let callback: @Sendable (Result<Value?, AnyError>) -> Void
  private let onLoading: (@Sendable (Bool) -> Void)?
  private var onRefresh: (@Sendable () -> Void)?

  /// A subscriber that hands everything to closures.
  /// - Parameters:
  ///   - callback: Called with each value, with nil for the initial value, or with an error.
  ///   - onLoading: Called when loading begins (`true`) and ends.
  public init(
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void,
    onLoading: (@Sendable (Bool) -> Void)? = nil
  ) {
    self.callback = callback
    self.onLoading = onLoading
  }

  init(
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void, onRefresh: @escaping @Sendable () -> Void
  ) {
    self.init(callback: callback, onLoading: onLoading)
    self.onRefresh = onRefresh
  }

  /// Has the key's ``SharedReaderKey/refresh(_:)`` called: for a store that tells that something has
  /// changed, but not what.
  public func refresh() {
    onRefresh?()
  }

  /// Whether ``refresh()`` reaches the key that a wrapper has been given: it does not for a subscriber
  /// that somebody has made of closures, to whom the key itself has to yield.
  package var canRefresh: Bool { onRefresh != nil }

  /// Takes over a value from outside; it is not saved again.
  public func yield(_ value: Value) {
    yield(with: .success(value))
  }

  /// Notes an error, which becomes `loadError`; the wrapper keeps the value it has.
  public func yield(throwing error: AnyError) {
    yield(with: .failure(error))
  }

  /// Goes back to the wrapper's default: the stored value is gone.
  public func yieldReturningInitialValue() {
    yield(with: .success(nil))
  }

  /// Notes that loading begins, or ends.
  public func yieldLoading(_ isLoading: Bool = true) {
    onLoading?(isLoading)
  }

  /// Takes over a value, nil for the default, or an error.
  public func yield(with result: Result<Value?, AnyError>) {
    callback(result)
  }
}
