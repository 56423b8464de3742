/// A closure that runs again when something that it has read has changed.
///
/// The graph lock guards what other threads touch; the thread that runs the closure owns the rest.
/// Dependencies are freed after the lock is released, since that may run foreign code.
final class Observer: @unchecked Sendable {
  // What each change and each run use comes first.
  private let body: () -> Void
  /// The environment to run in; nil for the program's.
  private let environment = SharingEnvironment.scoped
  private var state = ObserverState.idle
  /// Whether all that its closure reads is the one dependency, at an address that stays: then runs
  /// need not record it, until the handle points elsewhere.
  private var isSteady = false
  /// Whether it has one dependency only, and runs after every change of that. Guarded by the graph
  /// lock.
  private var isSimple = false
  var dependencies = DependencyList()
  let isolation: ObserverIsolation
  var handOver = HandOver()
  private let site: CallSite
  /// The turn in which an observer, or this one, has last made it stale, and how often there.
  private var markedIn: UInt = 0
  private var marksInTurn = 0

  init(_ isolation: ObserverIsolation, at site: CallSite, _ body: @escaping () -> Void) {
    self.body = body
    self.site = site
    self.isolation = isolation
  }

  /// Runs the closure for the first time.
  func start() {
    let scheduler = Scheduler.current
    scheduler.begin()
    graphLock.withLock { state = .stale }
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
      case let reason where reason.isCertain: run(isSteady: reason == .steady, in: scheduler)
      case let reason: runUnlessNeedless(reason, in: scheduler)
      }
    } while finish()
  }

  /// Runs the observer that ``takeUnmarked(_:)`` has returned.
  @inline(__always)
  func runTaken(isSteady: Bool, in scheduler: Scheduler) {
    run(isSteady: isSteady, in: scheduler)
    if finish() { runHere(in: scheduler) }
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
      let out = state.contains(.running) ? nil : takeOutAll()
      state.insert(.cancelled)
      return out
    }
    DependencyList.free(out)
  }

  /// Calls the closure, once in this code, so that engines of wasm have room to inline it here.
  /// - Parameter isSteady: Whether what it reads need not be recorded.
  @inline(__always)
  private func run(isSteady: Bool, in scheduler: Scheduler) {
    if !isSteady { dependencies.rewind() }
    scheduler.with(isSteady ? nil : .passUnretained(self)) { callBody() }
  }

  @inline(__always)
  private func callBody() {
    if SharingEnvironment.scoped === environment { body() } else { runInEnvironment() }
  }

  /// Runs if a dependency that needs a check has another value now.
  @inline(never)
  private func runIfChanged(in scheduler: Scheduler) {
    var next = dependencies.first
    while let dependency = next {
      if takeCheck(of: dependency), dependency.pointee.hasChangedValue {
        graphLock.withLock { forgetChecks() }
        return run(isSteady: false, in: scheduler)
      }
      next = dependency.pointee.next
    }
  }

  /// A run begins, which reads everything anew, so earlier checks are void; later ones are not. The
  /// graph lock is held.
  private func forgetChecks() {
    var next = dependencies.first
    while let dependency = next {
      dependency.pointee.needsCheck = false
      next = dependency.pointee.next
    }
  }

  private func takeCheck(of dependency: Dependency.Pointer) -> Bool {
    graphLock.withLock {
      defer { dependency.pointee.needsCheck = false }
      return dependency.pointee.needsCheck
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
    guard state.rawValue == ObserverState.running.rawValue, dependencies.next == nil else {
      return finishSpecially()
    }
    state = .idle
    graphLock.unlock()
    return false
  }

  /// The same where the run has not repeated all dependencies, or something has happened to the
  /// observer meanwhile: one that is cancelled has none left. The graph lock is held, and released.
  @inline(never)
  private func finishSpecially() -> Bool {
    state.remove(.running)
    let out = state.contains(.cancelled) ? takeOutAll() : dependencies.cut()
    noteDependencies()
    let isAgain = isStale
    graphLock.unlock()
    DependencyList.free(out)
    return isAgain
  }

  /// Its dependencies are other ones than before. The graph lock is held.
  func noteDependencies() {
    isSimple = dependencies.isOneWithoutCheck
  }

  /// Removes all dependencies. The graph lock is held.
  /// - Returns: The first of them, to be freed when the lock is released.
  private func takeOutAll() -> Dependency.Pointer? {
    dependencies.rewind()
    return dependencies.cut()
  }
}

// MARK: Marking stale

extension Observer {
  /// Whether the observer waits for a run. The graph lock is held.
  var isStale: Bool { !state.isDisjoint(with: [.stale, .possiblyStale]) }

  /// Marks the observer of a changed part stale; possibly stale where a check can tell. The graph
  /// lock is held.
  @inline(__always)
  static func markStale(for entry: Dependency.Entry, in scheduler: Scheduler) {
    entry.observer._withUnsafeGuaranteedRef {
      if !$0.isSimple, entry.dependency.pointee.hasChanged != nil {
        return $0.markPossiblyStale(entry.dependency, in: scheduler)
      }
      if $0.state.rawValue != ObserverState.idle.rawValue || scheduler.thread.pointee.isFlushing {
        return $0.mark(.stale, in: scheduler)
      }
      $0.state = .stale
      $0.handOver.isDue = false
      scheduler.schedule($0, isLate: false)
    }
  }

  /// Marks the observer stale, whatever the value is now, and has its next run record what it
  /// reads. The graph lock is held.
  static func markCertainlyStale(for entry: Dependency.Entry, in scheduler: Scheduler) {
    entry.observer._withUnsafeGuaranteedRef {
      $0.isSteady = false
      $0.mark(.stale, in: scheduler)
    }
  }

  /// Marks the observer possibly stale: it runs if the value is another one by then. The graph lock
  /// is held.
  @inline(never)
  private func markPossiblyStale(_ dependency: Dependency.Pointer, in scheduler: Scheduler) {
    if !state.contains(.stale) {
      dependency.pointee.needsCheck = true
      state.insert(.hasChecks)
    }
    mark(.possiblyStale, in: scheduler)
  }

  /// Marks the observer, and schedules a run unless one is scheduled. A run that is left to an
  /// actor does not count as scheduled: a change that is made on the actor is observed in its turn.
  @inline(never)
  func mark(_ staleness: ObserverState, in scheduler: Scheduler) {
    let isQueued = isStale && !handOver.isDue
    state.insert(staleness)
    if isQueued || state.contains(.cancelled) { return }
    handOver.isDue = false
    if scheduler.thread.pointee.isFlushing || state.contains(.running) {
      let number = scheduler.thread.pointee.number
      marksInTurn = markedIn == number ? marksInTurn &+ 1 : 1
      markedIn = number
      if marksInTurn >= Scheduler.runLimit { state.insert(.looping) }
    }
    scheduler.schedule(self, isLate: state.contains(.observesStatus))
  }

  /// The running closure reads nothing more that counts: from now on its runs need not record what
  /// they read, if that is one part that is read in place.
  @inline(never)
  func becomeSteady() {
    guard dependencies.isOneInPlace else { return }
    graphLock.withLock { isSteady = !isStale }
  }

  /// It depends on how loading or saving went: it runs when that is known. The graph lock is held.
  func observeStatus() {
    state.insert(.observesStatus)
  }

  /// Why an observer runs.
  private enum Reason: UInt8 {
    /// It is fresh, or runs on another thread.
    case none
    /// Something has certainly changed.
    case certain
    /// The same, and what the run reads need not be recorded.
    case steady
    /// It is possibly stale: dependencies need a check.
    case possible
    /// It does not: it has been marked in this turn once too often.
    case looping
    /// It does not, and that has been reported.
    case exhausted

    @inline(__always)
    var isCertain: Bool { self == .certain || self == .steady }
  }

  /// Compares numbers, as those before and after a run do: a set's own comparison is a call more.
  @inline(__always)
  private func takeRun(in scheduler: Scheduler) -> Reason {
    graphLock.withLock {
      guard state.rawValue == ObserverState.stale.rawValue else {
        return takeSpecialRun(in: scheduler)
      }
      state = .running
      return isSteady ? .steady : .certain
    }
  }

  /// The same where the observer is not just stale.
  @inline(never)
  private func takeSpecialRun(in scheduler: Scheduler) -> Reason {
    guard isStale, state.isDisjoint(with: [.running, .cancelled]) else { return .none }
    let former = state
    state.subtract([.stale, .possiblyStale, .hasChecks, .looping])
    state.insert(.running)
    if former.contains(.looping), markedIn == scheduler.thread.pointee.number {
      return marksInTurn == Scheduler.runLimit ? .looping : .exhausted
    }
    guard former.contains(.stale) else { return .possible }
    if former.contains(.hasChecks) { forgetChecks() }
    return isSteady ? .steady : .certain
  }

  /// Begins a run of the observer of a changed part that has not been marked, if it is idle and
  /// simple. The graph lock is held.
  /// - Returns: The observer, held, and whether its run is steady; nil for any other one.
  @inline(__always)
  static func takeUnmarked(
    _ entry: Dependency.Entry
  ) -> (observer: Unmanaged<Observer>, isSteady: Bool)? {
    let isSteady: Bool? = entry.observer._withUnsafeGuaranteedRef {
      guard $0.state.rawValue == ObserverState.idle.rawValue, $0.isSimple else { return nil }
      $0.state = .running
      return $0.isSteady
    }
    guard let isSteady else { return nil }
    return (entry.observer.hold(), isSteady)
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
