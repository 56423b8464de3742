/// Tracks changes of shared state in tests; each one in its scope must be asserted or skipped.
///
/// ```swift
/// let tracker = SharedChangeTracker()
/// tracker.track {
///   model.incrementButtonTapped()
///   $count.assert { $0 = 1 }
/// }
/// ```
/// A change that is neither asserted nor skipped when the tracker is released is a failure. It
/// shows the value before and after, and names the place of the change. With Swift Testing, the
/// trait `.sharing(exhaustivity: .on)` of the module SharingTesting makes each test such a scope.
/// With another framework, pass failures to it: `SharedChangeTracker { XCTFail("\($0)") }`.
///
/// - Changes are those by `withLock`, of any shared value: in memory, stored, derived. Changes from
///   outside do not count, nor do `isLoading`, `saveError` and the like. A value that equals its
///   former one has not changed.
/// - A changed value stays in memory until it is asserted, also without a wrapper.
/// - If scopes are nested, the innermost one records a change.
/// - To assert the changes of a scope that has ended, use ``assert(_:)``.
/// - Embedded Swift cannot compare values whose type it does not know. There, a list that is
///   changed as a whole must be asserted as a whole, and one that is changed back to what it was
///   has changed.
public struct SharedChangeTracker: Sendable {
  let changes: TrackedChanges

  /// Creates a tracker without changes.
  /// - Parameter onFailure: Receives each failure. Without it, failures are issues of the now
  ///   current ``SharingEnvironment``.
  public init(onFailure: (@Sendable (_ failure: SharingIssue) -> Void)? = nil) {
    let environment = SharingEnvironment.current
    changes = TrackedChanges(report: onFailure ?? { environment.onIssue($0) })
  }

  private init(_ changes: TrackedChanges) {
    self.changes = changes
  }

  /// The tracker of the innermost `track`, nil outside of any.
  package static var current: SharedChangeTracker? {
    TrackedChanges.inScope.map { SharedChangeTracker($0) }
  }

  /// Whether a change was neither asserted nor skipped.
  public var hasChanges: Bool { changes.hasUnasserted }

  /// Runs an operation and tracks its changes of shared state.
  ///
  /// Natively, it also tracks the tasks that the operation starts, but not other threads.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  public func track<Output, Failure: Error>(
    _ operation: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    changes.scopeOpens(1)
    defer { changes.scopeOpens(-1) }
    return try assert(operation)
  }

  /// Runs an operation that asserts the changes in the tracker's scopes.
  ///
  /// ```swift
  /// tracker.track { model.resetButtonTapped() }
  /// tracker.assert {
  ///   $count.assert { $0 = 0 }
  ///   $name.assert { $0 = "" }
  /// }
  /// ```
  /// What it changes itself is not tracked, unless a scope of the tracker is open.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func assert<Output, Failure: Error>(
    _ operation: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    var outcome: Result<Output, Failure>?
    ChangeRecorder.with(changes) { outcome = Result(catching: operation) }
    return try outcome!.get()
  }

  /// Skips all changes up to now.
  ///
  /// ```swift
  /// tracker.reset()
  /// ```
  public func reset() {
    changes.reset()
  }
}

extension SharedChangeTracker {
  /// Tracks an object, too, if a scope is open.
  package static func include(_ object: any TrackedObject) {
    TrackedChanges.inScope?.include(object)
  }

  /// Reports a failed assertion to the tracker in scope, or else as an issue.
  package static func report(_ failure: SharingIssue) {
    if let changes = TrackedChanges.inScope {
      changes.report(failure)
    } else {
      SharingEnvironment.current.onIssue(failure)
    }
  }

  /// Reports unasserted changes before the tracker is released.
  package func finish() {
    changes.reportUnasserted()
  }
}
