/// Receives the events of a key after its first load: outside changes, errors, the loading state.
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
  package let receiver: Receiver

  init(_ receiver: Receiver) {
    self.receiver = receiver
  }

  /// Creates a subscriber that passes each event to a closure.
  /// - Parameters:
  ///   - callback: Called with each value, with nil for the initial value, or with an error.
  ///   - onLoading: Called when loading begins (`true`) and ends.
  public init(
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void,
    onLoading: (@Sendable (Bool) -> Void)? = nil
  ) {
    let closures = ReceivingClosures(
      { outcome in
        let result: Result<Value?, AnyError> = outcome.result()
        return { callback(result) }
      }, onLoading: onLoading)
    self.init(.closures(closures))
  }

  /// Calls the key's ``SharedReaderKey/refresh(_:)``. Use it if the store reports a change without
  /// the new value.
  public func refresh() { receiver.refresh() }

  /// Sets the value to one from outside, without saving it again.
  public func yield(_ value: Value) {
    yield(with: .success(value))
  }

  /// Sets `loadError`. The wrapper keeps its value.
  public func yield(throwing error: AnyError) {
    receiver.receive(.failure(error))
  }

  /// Returns to the wrapper's default, because the stored value was removed.
  public func yieldReturningInitialValue() {
    receiver.receive(.nothing)
  }

  /// Sets `isLoading`.
  public func yieldLoading(_ isLoading: Bool = true) {
    receiver.setLoading(isLoading)
  }

  /// Yields a value, nil for the default, or an error.
  public func yield(with result: Result<Value?, AnyError>) {
    Outcome.deliver(result) { receiver.receive($0) }
  }
}

/// Ends a key's subscription, when you call ``cancel()`` or drop it.
///
/// ```swift
/// return SharedSubscription { token.cancel() }
/// ```
public final class SharedSubscription: @unchecked Sendable {
  private let lock = Lock()
  private var onCancel: (@Sendable () -> Void)?

  /// Creates a subscription.
  /// - Parameter cancel: Ends the subscription; called once.
  public init(_ cancel: @escaping @Sendable () -> Void) {
    onCancel = cancel
  }

  deinit {
    cancel()
  }

  /// Ends the subscription, unless it has ended.
  public func cancel() {
    let onCancel = lock.withLock {
      defer { self.onCancel = nil }
      return self.onCancel
    }
    onCancel?()
  }
}
