import SharingCore

/// An observer of a part of a walk's values, and its model.
final class WalkObserver {
  /// The observed part, for messages.
  let what: StaticString
  /// The last digest that the observer read.
  var view = WalkDigest()
  /// The number of runs in the current turn.
  var runs = 0
  /// The problem of the changes that it received.
  var problem: String?
  /// Whether it has run after it was cancelled.
  private(set) var isUndead = false
  private var token: ObservationToken?
  /// Whether it was created before the current turn.
  private(set) var hasBegun = false
  private var isCancelled = false
  /// The expected digest.
  let model: () -> WalkDigest
  /// Whether a dependency has changed in the current turn, given the last digest.
  let mayRun: (WalkDigest) -> Bool
  private var lastView = WalkDigest()
  /// Called after a turn has been checked.
  var afterTurn: () -> Void = {}
  /// The last changes that an observer of elements received, and those that it must receive in the
  /// current turn.
  var changes: ElementChanges?
  var expectedChanges: () -> ElementChanges? = { nil }

  init(
    _ what: StaticString, model: @escaping () -> WalkDigest,
    mayRun: @escaping (WalkDigest) -> Bool
  ) {
    (self.what, self.model, self.mayRun) = (what, model, mayRun)
  }

  /// Begins to observe.
  func start(_ read: @escaping () -> WalkDigest) {
    keep(
      observe { [unowned(unsafe) self] in
        isUndead = isUndead || isCancelled
        note(read())
      })
  }

  func keep(_ token: ObservationToken) {
    self.token = token
    lastView = view
  }

  func note(_ digest: WalkDigest) {
    view = digest
    runs += 1
  }

  func cancel() {
    isCancelled = true
    token?.cancel()
  }

  /// Returns the problem at the end of a turn.
  /// - Parameter lateNews: The number of values that have taken over another program's change after
  ///   their own save: those observers have run for both.
  func check(lateNews: Int) -> String? {
    defer {
      (runs, lastView, hasBegun, changes) = (0, view, true, nil)
      afterTurn()
    }
    if isUndead { return "an observer of \(what) ran after it was cancelled" }
    if isCancelled { return nil }
    if let problem { return "an observer of \(what) was told of \(problem)" }
    if view != model() { return "an observer of \(what) has not seen the last" }
    if !hasBegun { return nil }
    if runs > 1 + lateNews { return "an observer of \(what) ran \(runs) times in one turn" }
    if lateNews > 0 { return nil }
    if runs == 1, !mayRun(lastView) { return "an observer of \(what) ran without a reason" }
    if let changes, let expected = expectedChanges(), changes != expected {
      return "an observer of \(what) was told of more than has changed"
    }
    return nil
  }
}
