/// A closure that runs again when something that it has read has changed.
///
/// The graph lock guards what other threads touch; the thread that runs the closure owns the rest.
/// Dependencies are freed after the lock is released, since that may run foreign code.
final class Observer: @unchecked Sendable {
  private let body: () -> Void
  private let site: CallSite
  /// The environment to run in; nil for the program's.
  private let environment = SharingEnvironment.scoped
  let isolation: ObserverIsolation
  var handOver = HandOver()
  var dependencies = DependencyList()
  private var state = State.idle
  private(set) var staleness = Staleness.fresh
  /// Whether any dependency may need a check.
  private var hasChecks = false
  /// Whether it depends on how loading or saving went: it runs when that is known. Guarded by the
  /// graph lock.
  var observesStatus = false
  /// The turn that queued the observer last, and how often it did so in a row.
  private var queuedIn: UInt = 0
  private var runsInTurn = 0

  private enum State: UInt8 { case idle, running, cancelled }

  /// What is known of the dependencies: nothing has changed, something may have, something has.
  /// Unless it is fresh, the observer waits for a run.
  enum Staleness: UInt8 { case fresh, possiblyStale, stale }

  init(_ isolation: ObserverIsolation, at site: CallSite, _ body: @escaping () -> Void) {
    self.body = body
    self.site = site
    self.isolation = isolation
  }

  deinit {
    dependencies.free()
  }

  /// Runs the closure for the first time.
  func start() {
    let scheduler = Scheduler.current
    scheduler.begin()
    graphLock.withLock { staleness = .stale }
    runHere(in: scheduler)
    scheduler.end()
  }

  /// Runs the observer if it still waits for that. While it runs on another thread, it is left
  /// queued: that thread runs it again.
  @inline(never)
  func runHere(in scheduler: Scheduler) {
    runInPlace(in: scheduler)
  }

  /// The same in the caller's code, for the one that runs most of them.
  @inline(__always)
  func runInPlace(in scheduler: Scheduler) {
    repeat {
      switch takeRun(in: scheduler) {
      case .none: return
      case .certain: run(in: scheduler)
      case let reason: runUnlessNeedless(reason, in: scheduler)
      }
    } while finish()
  }

  /// Sees to a run for another reason than that something has certainly changed.
  @inline(never)
  private func runUnlessNeedless(_ reason: Reason, in scheduler: Scheduler) {
    switch reason {
    case .possible: runIfChanged(in: scheduler)
    case .looping: reportLoop()
    default: break
    }
  }

  /// Ends the observation: the closure is not called again.
  func cancel() {
    Scheduler.current.keep(self)
    let out = graphLock.withLock {
      // Whoever runs it frees its dependencies.
      let out = state == .idle ? takeOutAll() : List()
      state = .cancelled
      return out
    }
    DependencyList.free(out)
  }

  @inline(__always)
  private func run(in scheduler: Scheduler) {
    dependencies.position = 0
    scheduler.with(.passUnretained(self)) {
      if SharingEnvironment.scoped === environment { body() } else { runInEnvironment() }
    }
  }

  /// Runs if a dependency that needs a check has another value now.
  @inline(never)
  private func runIfChanged(in scheduler: Scheduler) {
    for position in 0..<dependencies.count
    where takeCheck(at: position) && dependencies[position].pointee.hasChangedValue {
      graphLock.withLock { forgetChecks() }
      return run(in: scheduler)
    }
  }

  /// A run begins, which reads everything anew, so earlier checks are void; later ones are not. The
  /// graph lock is held.
  private func forgetChecks() {
    hasChecks = false
    for position in 0..<dependencies.count { dependencies[position].pointee.needsCheck = false }
  }

  private func takeCheck(at position: Int) -> Bool {
    graphLock.withLock {
      defer { dependencies[position].pointee.needsCheck = false }
      return dependencies[position].pointee.needsCheck
    }
  }

  @inline(never)
  private func runInEnvironment() {
    (environment ?? .program).run(body)
  }

  /// Ends the run under way; from then on another thread may begin the next.
  /// - Returns: Whether it has been marked stale meanwhile.
  @inline(__always)
  private func finish() -> Bool {
    graphLock.lock()
    guard state == .running, dependencies.isAtEnd else { return finishWithFewer() }
    state = .idle
    let isAgain = staleness != .fresh
    graphLock.unlock()
    return isAgain
  }

  /// The same where the run has not repeated all dependencies, or the observer is cancelled: then
  /// none is left. The graph lock is held, and released.
  @inline(never)
  private func finishWithFewer() -> Bool {
    if state == .running { state = .idle }
    let out = state == .idle ? dependencies.cut() : takeOutAll()
    let isAgain = staleness != .fresh
    graphLock.unlock()
    DependencyList.free(out)
    return isAgain
  }

  /// Removes all dependencies. The graph lock is held.
  /// - Returns: The dependencies, to be freed when the lock is released.
  private func takeOutAll() -> List<Dependency.Pointer> {
    dependencies.position = 0
    return dependencies.cut()
  }
}

// MARK: Marking stale

extension Observer {
  /// Marks the observer of a changed part stale; possibly stale where a check can tell. The graph
  /// lock is held.
  @inline(__always)
  static func markStale(for dependency: Dependency.Pointer, in scheduler: Scheduler) {
    if dependency.pointee.hasChanged != nil { return markPossiblyStale(dependency, in: scheduler) }
    dependency.pointee.observer._withUnsafeGuaranteedRef { $0.markStale(.stale, in: scheduler) }
  }

  /// Marks the observer stale, whatever the value is now. The graph lock is held.
  @inline(never)
  static func markCertainlyStale(for dependency: Dependency.Pointer, in scheduler: Scheduler) {
    dependency.pointee.observer._withUnsafeGuaranteedRef { $0.markStale(.stale, in: scheduler) }
  }

  /// Marks the observer possibly stale: it runs if the value is another one by then. The graph lock
  /// is held.
  @inline(never)
  private static func markPossiblyStale(_ dependency: Dependency.Pointer, in scheduler: Scheduler) {
    dependency.pointee.observer._withUnsafeGuaranteedRef {
      if $0.staleness != .stale {
        dependency.pointee.needsCheck = true
        $0.hasChecks = true
      }
      $0.markStale(.possiblyStale, in: scheduler)
    }
  }

  /// Marks the observer, and schedules a run unless one is scheduled. A run that is left to an
  /// actor does not count as scheduled: a change that is made on the actor is observed in its turn.
  @inline(__always)
  func markStale(_ certainty: Staleness, in scheduler: Scheduler) {
    let isQueued = staleness != .fresh && !handOver.isDue
    if staleness != .stale { staleness = certainty }
    guard !isQueued, state == .idle || state == .running else { return }
    handOver.takeBack()
    let number = scheduler.thread.pointee.number
    runsInTurn = queuedIn == number ? runsInTurn &+ 1 : 1
    queuedIn = number
    scheduler.schedule(self)
  }

  /// Why an observer runs.
  private enum Reason {
    /// It is fresh, or runs on another thread.
    case none
    case certain
    /// It is possibly stale: dependencies need a check.
    case possible
    /// It does not: it has been queued in this turn once too often.
    case looping
    /// It does not, and that has been reported.
    case exhausted
  }

  @inline(__always)
  private func takeRun(in scheduler: Scheduler) -> Reason {
    graphLock.withLock {
      guard staleness != .fresh, state == .idle else { return .none }
      let isCertain = staleness == .stale
      staleness = .fresh
      state = .running
      if runsInTurn > Scheduler.runLimit, queuedIn == scheduler.thread.pointee.number {
        return runsInTurn == Scheduler.runLimit + 1 ? .looping : .exhausted
      }
      if isCertain, hasChecks { forgetChecks() }
      return isCertain ? .certain : .possible
    }
  }

  @inline(never)
  private func reportLoop() {
    SharingEnvironment.current.report(
      SharingIssue(
        """
        This observer has run \(Scheduler.runLimit) times in one turn and still changes what it reads; \
        it is left alone until the next turn. Change state in it only when it differs.
        """, at: site))
  }
}
