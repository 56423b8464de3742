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
  private let wholeLink: CellLink
  /// The state of a refresh; nil for a subscription.
  private let refreshing: Refreshing?

  package var link: CellLink { refreshing?.link ?? wholeLink }

  init(_ link: CellLink) {
    (wholeLink, refreshing) = (link, nil)
  }

  /// Creates the subscriber of a refresh.
  init(refreshing link: CellLink) {
    (wholeLink, refreshing) = (link, Refreshing(link))
  }

  /// Creates a subscriber that passes each event to a closure.
  /// - Parameters:
  ///   - callback: Called with each value, with nil for the initial value, or with an error.
  ///   - onLoading: Called when loading begins (`true`) and ends.
  public init(
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void,
    onLoading: (@Sendable (Bool) -> Void)? = nil
  ) {
    self.init(
      .closures(
        SubscriberClosures(
          { outcome in
            let result: Result<Value?, AnyError> = outcome.result()
            return { callback(result) }
          }, onLoading: onLoading)))
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
    receive(.failure(error))
  }

  /// Returns to the wrapper's default, because the stored value was removed.
  public func yieldReturningInitialValue() {
    receive(.nothing)
  }

  /// Sets `isLoading`.
  public func yieldLoading(_ isLoading: Bool = true) {
    link.setLoading(isLoading)
  }

  /// Yields a value, nil for the default, or an error.
  public func yield(with result: Result<Value?, AnyError>) {
    Outcome.deliver(result) { receive($0) }
  }

  private func receive(_ outcome: Outcome) {
    let revision = link.receive(outcome)
    if let revision { refreshing?.didYield(revision) }
  }
}

/// The link of a refresh. A value that the key yields replaces the one that it has yielded before
/// in the same refresh.
private final class Refreshing: @unchecked Sendable {
  private let lock = Lock()
  private var current: CellLink

  init(_ link: CellLink) {
    current = link
  }

  var link: CellLink { lock.withLock { current } }

  /// - Parameter revision: The value's revision with the yielded value.
  func didYield(_ revision: UInt32) {
    guard case .cell(let persistence, _) = link else { return }
    lock.withLock { current = .cell(persistence, revision: revision) }
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
