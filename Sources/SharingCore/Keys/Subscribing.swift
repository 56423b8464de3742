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
  package let link: CellLink

  init(_ link: CellLink) {
    self.link = link
  }

  /// Creates a subscriber that passes each event to a closure.
  /// - Parameters:
  ///   - callback: Called with each value, with nil for the initial value, or with an error.
  ///   - onLoading: Called when loading begins (`true`) and ends.
  public init(
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void,
    onLoading: (@Sendable (Bool) -> Void)? = nil
  ) {
    link = .closures(
      { outcome in
        let result: Result<Value?, AnyError> = outcome.result()
        return { callback(result) }
      }, onLoading: onLoading)
  }

  /// Calls the key's ``SharedReaderKey/refresh(_:)``. Use it if the store reports a change without
  /// the new value.
  public func refresh() {
    // A link that belongs to one request cannot start another one.
    guard case .cell(let persistence, nil) = link, let cell = persistence.cell
    else { return }
    persistence.freshen(cell, .event)
  }

  /// Sets the value to one from outside, without saving it again.
  public func yield(_ value: Value) {
    yield(with: .success(value))
  }

  /// Sets `loadError`. The wrapper keeps its value.
  public func yield(throwing error: AnyError) {
    link.receive(.failure(error))
  }

  /// Returns to the wrapper's default, because the stored value was removed.
  public func yieldReturningInitialValue() {
    link.receive(.nothing)
  }

  /// Sets `isLoading`.
  public func yieldLoading(_ isLoading: Bool = true) {
    link.setLoading(isLoading)
  }

  /// Yields a value, nil for the default, or an error.
  public func yield(with result: Result<Value?, AnyError>) {
    Outcome.deliver(result) { link.receive($0) }
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
