/// Runs a closure now, and again when shared state that it read changes.
///
/// ```swift
/// let token = observe {
///   label.text = "\(count)"
/// }
/// ```
/// - The closure runs once for each ``batch(_:)``, and only for the parts that it reads: a closure
///   that reads `$user.name` does not run again for `$user.age`.
/// - It may change state, and begin or end observations. If it does not settle after 100 runs, an
///   issue is reported, and it does not run again until the next turn.
/// - It runs when the outermost batch of the changing thread ends, outside every lock. If code on
///   an actor calls `observe`, such as a method of a `@MainActor` type, the closure runs on that
///   actor: on the main actor when the batch ends for a change that is made there, otherwise soon
///   after the batch. All other closures run on the changing thread: capture only state that is
///   safe to use there.
/// - It never runs on two threads at once. A thread that finds it running leaves the next run to
///   the other thread.
/// - Returns: A token; cancelling or dropping it ends the observation.
@_disfavoredOverload
public func observe(
  fileID: StaticString = #fileID, line: UInt = #line, _ apply: @escaping () -> Void
) -> ObservationToken {
  ObservationToken(ObserverIsolation(), at: CallSite(fileID: fileID, line: line), apply)
}

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
