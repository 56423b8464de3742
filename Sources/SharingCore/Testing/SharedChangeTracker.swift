/// Exhaustive testing: every change of shared state in its scope has to be asserted, or skipped.
///
/// ```swift
/// let tracker = SharedChangeTracker()
/// tracker.track {
///   model.incrementButtonTapped()
///   $count.assert { $0 = 1 }
/// }
/// ```
/// What has been neither asserted nor skipped when the tracker is released is a failure, which
/// shows what the value was and is, and names the place of the change. With Swift Testing, the
/// trait `.sharing(exhaustivity: .on)` of the module SharingTesting makes each test such a scope;
/// with another framework, hand failures to it: `SharedChangeTracker { XCTFail("\($0)") }`.
///
/// - A change is one that is made with `withLock`, to any shared value: in memory, stored, derived.
///   What a store brings from outside is none, nor is what loading and saving set (`isLoading`,
///   `saveError`). A value that is what it was before has not changed.
/// - A value that was changed stays in memory until it has been asserted, though nobody refers to
///   it.
/// - Where scopes are nested, the innermost one hears of a change.
/// - To assert what was changed in a scope that has ended, use ``assert(_:)``.
/// - Embedded Swift cannot compare values whose type it does not know. There, a list that is
///   changed as a whole must be asserted as a whole, and one that is changed back to what it was
///   has changed.
public struct SharedChangeTracker: Sendable {
  let changes: TrackedChanges

  /// A tracker without changes.
  /// - Parameter onFailure: Receives each failure. Without one, failures are issues of the
  ///   ``SharingEnvironment`` that is the current one now.
  public init(onFailure: (@Sendable (_ failure: SharingIssue) -> Void)? = nil) {
    let environment = SharingEnvironment.current
    changes = TrackedChanges(report: onFailure ?? { environment.report($0) })
  }

  private init(_ changes: TrackedChanges) {
    self.changes = changes
  }

  /// The tracker of the innermost `track`; nil outside of all.
  public static var current: SharedChangeTracker? {
    TrackedChanges.inScope.map { SharedChangeTracker($0) }
  }

  /// Whether something has been changed and neither been asserted nor skipped.
  public var hasChanges: Bool { changes.hasUnasserted }

  /// Runs an operation whose changes of shared state count.
  ///
  /// Natively those of the tasks that it starts do too, other threads' do not.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func track<Output, Failure: Error>(
    _ operation: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    changes.scopeOpens(1)
    defer { changes.scopeOpens(-1) }
    return try assert(operation)
  }

  /// Runs an operation that asserts what was changed in the tracker's scopes.
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

  /// Skips everything that has been changed until now.
  ///
  /// ```swift
  /// SharedChangeTracker.current?.reset()
  /// ```
  public func reset() {
    changes.reset()
  }
}

extension SharedChangeTracker {
  /// Has an object asserted too, if a scope is open.
  package static func include(_ object: any TrackedObject) {
    TrackedChanges.inScope?.include(object)
  }

  /// Reports a failed assertion: to the tracker in scope, or else as an issue.
  package static func report(_ failure: SharingIssue) {
    if let changes = TrackedChanges.inScope {
      changes.report(failure)
    } else {
      SharingEnvironment.current.report(failure)
    }
  }

  /// Reports what has not been asserted, before the tracker is released.
  package func finish() {
    changes.reportUnasserted()
  }
}
