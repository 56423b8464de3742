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
  /// What the key tells it, whatever the type of the value.
  package let target: AnySubscriber

  init(_ target: AnySubscriber) {
    self.target = target
  }

  /// A subscriber that hands everything to closures.
  /// - Parameters:
  ///   - callback: Called with each value, with nil for the initial value, or with an error.
  ///   - onLoading: Called when loading begins (`true`) and ends.
  public init(
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void,
    onLoading: (@Sendable (Bool) -> Void)? = nil
  ) {
    target = ClosureSubscriber({ callback($0.result()) }, onLoading)
  }

  /// Has the key's ``SharedReaderKey/refresh(_:)`` called: for a store that tells that something has
  /// changed, but not what.
  public func refresh() {
    _ = target.refresh()
  }

  /// Takes over a value from outside; it is not saved again.
  public func yield(_ value: Value) {
    yield(with: .success(value))
  }

  /// Notes an error, which becomes `loadError`; the wrapper keeps the value it has.
  public func yield(throwing error: AnyError) {
    target.receive(.failure(error))
  }

  /// Goes back to the wrapper's default: the stored value is gone.
  public func yieldReturningInitialValue() {
    target.receive(.nothing)
  }

  /// Notes that loading begins, or ends.
  public func yieldLoading(_ isLoading: Bool = true) {
    target.yieldLoading(isLoading)
  }

  /// Takes over a value, nil for the default, or an error.
  public func yield(with result: Result<Value?, AnyError>) {
    Outcome.hand(result) { target.receive($0) }
  }
}
