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
  package let link: CellLink

  init(_ link: CellLink) {
    self.link = link
  }

  /// A subscriber that hands everything to closures.
  /// - Parameters:
  ///   - callback: Called with each value, with nil for the initial value, or with an error.
  ///   - onLoading: Called when loading begins (`true`) and ends.
  public init(
    callback: @escaping @Sendable (Result<Value?, AnyError>) -> Void,
    onLoading: (@Sendable (Bool) -> Void)? = nil
  ) {
    link = .closures({ callback($0.result()) }, onLoading: onLoading)
  }

  /// Has the key's ``SharedReaderKey/refresh(_:)`` called: for a store that tells that something
  /// has changed, but not what.
  public func refresh() {
    // A link that a key was asked with is no way to ask it again.
    guard case .cell(let persistence, nil) = link, let cell = persistence.cell
    else { return }
    persistence.freshen(cell, .event)
  }

  /// Takes over a value from outside; it is not saved again.
  public func yield(_ value: Value) {
    yield(with: .success(value))
  }

  /// Notes an error, which becomes `loadError`; the wrapper keeps the value it has.
  public func yield(throwing error: AnyError) {
    link.receive(.failure(error))
  }

  /// Goes back to the wrapper's default: the stored value is gone.
  public func yieldReturningInitialValue() {
    link.receive(.nothing)
  }

  /// Notes that loading begins, or ends.
  public func yieldLoading(_ isLoading: Bool = true) {
    link.setLoading(isLoading)
  }

  /// Takes over a value, nil for the default, or an error.
  public func yield(with result: Result<Value?, AnyError>) {
    Outcome.deliver(result) { link.receive($0) }
  }
}

/// What a key does to stop hearing of changes; it ends on ``cancel()`` or when it is dropped.
///
/// ```swift
/// return SharedSubscription { token.cancel() }
/// ```
public final class SharedSubscription: @unchecked Sendable {
  private let lock = Lock()
  private var onCancel: (@Sendable () -> Void)?

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
