import SharingCore

/// Somebody who observes a part of a walk's values, and what the model knows of that.
final class WalkObserver {
  /// What was read, for messages.
  let what: StaticString
  /// What the observer has seen last.
  var view = WalkDigest()
  /// How often it has run in the turn under way.
  var runs = 0
  /// What is wrong with what it was told.
  var problem: String?
  /// Whether it has run after it was cancelled.
  private(set) var isUndead = false
  private var token: ObservationToken?
  /// Whether it was made before the turn under way.
  private(set) var hasBegun = false
  private var isCancelled = false
  /// What it should have seen.
  let model: () -> WalkDigest
  /// Whether anything that it has read has changed in the turn under way, given what it saw before.
  let mayRun: (WalkDigest) -> Bool
  private var lastView = WalkDigest()
  /// Called when a turn has been checked.
  var afterTurn: () -> Void = {}
  /// What an observer of elements was told last, and what it is to be told in the turn under way.
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

  /// What is wrong at the end of a turn.
  /// - Parameter lateNews: How many values have taken over another program's change after their own
  ///   was saved: those observers have run for both.
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
