/// Keeps an observation alive. Store it for as long as the closure shall run.
///
/// ```swift
/// var tokens: Set<ObservationToken> = []
/// observe { show(count) }.store(in: &tokens)
/// ```
public final class ObservationToken: Sendable {
  private let observer: Observer

  /// Begins an observation.
  init(_ isolation: ObserverIsolation, at site: CallSite, _ body: @escaping () -> Void) {
    observer = Observer(isolation, at: site, body)
    observer.start()
  }

  deinit {
    observer.cancel()
  }

  /// Ends the observation. The closure is not called again.
  public func cancel() {
    observer.cancel()
  }

  /// Keeps the token in a set.
  public func store(in set: inout Set<ObservationToken>) {
    set.insert(self)
  }
}

extension ObservationToken: Hashable {
  /// Returns whether two tokens are identical.
  public static func == (left: ObservationToken, right: ObservationToken) -> Bool {
    left === right
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// Runs an operation and treats its changes as one. When the outermost batch ends, each observer
/// runs once and each value is saved once.
///
/// ```swift
/// batch {
///   $first.withLock { $0 = "Ada" }
///   $last.withLock { $0 = "Lovelace" }
/// }
/// ```
/// - Returns: The result of the operation.
/// - Throws: The error of the operation. Its changes up to that point are observed and saved.
public func batch<Output, Failure: Error>(
  _ operation: () throws(Failure) -> Output
) throws(Failure) -> Output {
  let scheduler = Scheduler.current
  scheduler.begin()
  defer { scheduler.end() }
  return try operation()
}
