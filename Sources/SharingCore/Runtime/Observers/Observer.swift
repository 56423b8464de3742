/// A closure that runs again after a change of a value that it read.
///
/// The graph lock guards the state that other threads access; the running thread owns the rest.
/// Dependencies are freed after the lock is released, because that may run foreign code.
final class Observer: @unchecked Sendable {
  // The properties that each change and each run use come first.
  private let body: () -> Void
  /// The environment to run in, nil for the program's.
  private let environment = SharingEnvironment.scoped
  private var state = ObserverState.idle
  /// Whether the closure has exactly one dependency, at a constant address. Then a run need not
  /// record it, until the handle points elsewhere.
  private var isSteady = false
  /// Whether it has exactly one dependency and runs after every change of it. Guarded by the graph
  /// lock.
  private var isSimple = false
  var dependencies = DependencyList()
  let isolation: ObserverIsolation
  var handOver = HandOver()
  private let site: CallSite
  /// The last turn in which an observer, or this one, marked it stale, and the number of marks
  /// there.
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

  /// Runs the observer if it is still stale. If another thread runs it, that thread runs it again.
  @inline(never)
  func runHere(in scheduler: Scheduler) {
    runInPlace(in: scheduler)
  }

  /// The same, inlined, for the most frequent caller.
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

  /// Runs the observer that ``takeUnmarked(_:)`` returned.
  @inline(__always)
  func runTaken(isSteady: Bool, in scheduler: Scheduler) {
    run(isSteady: isSteady, in: scheduler)
    if finish() { runHere(in: scheduler) }
  }

  /// Handles a reason other than a certain change.
  @inline(never)
  private func runUnlessNeedless(_ reason: Reason, in scheduler: Scheduler) {
    switch reason {
    case .possible: runIfChanged(in: scheduler)
    case .looping: reportLoop()
    default: break
    }
  }

  /// Ends the observation. The closure is not called again.
  func cancel() {
    Scheduler.current.keep(self)
    let out = graphLock.withLock {
      // If a thread runs it, that thread frees its dependencies.
      let out = state.contains(.running) ? nil : takeOutAll()
      state.insert(.cancelled)
      return out
    }
    DependencyList.free(out)
  }

  /// Calls the closure. There is one call in this code, so that wasm engines have room to inline
  /// it.
  /// - Parameter isSteady: Whether its reads need not be recorded.
  @inline(__always)
  private func run(isSteady: Bool, in scheduler: Scheduler) {
    if !isSteady { dependencies.rewind() }
    scheduler.with(isSteady ? nil : .passUnretained(self)) { callBody() }
  }

  @inline(__always)
  private func callBody() {
    if SharingEnvironment.scoped === environment { body() } else { runInEnvironment() }
  }

  /// Runs if the value of a dependency that needs a check differs.
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

  /// Drops the checks that are due: the run that begins reads everything again. Later checks are
  /// kept. The graph lock is held.
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

  /// Ends the current run; another thread may then begin the next.
  /// - Returns: Whether it was marked stale meanwhile.
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

  /// Ends a run that did not repeat all dependencies, or during which the state changed. A
  /// cancelled observer keeps no dependencies. The graph lock is held, and released here.
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

  /// Call it after a change of the dependencies. The graph lock is held.
  func noteDependencies() {
    isSimple = dependencies.isOneWithoutCheck
  }

  /// Removes all dependencies. The graph lock is held.
  /// - Returns: The first of them. Free it after the lock is released.
  private func takeOutAll() -> Dependency.Pointer? {
    dependencies.rewind()
    return dependencies.cut()
  }
}

// MARK: Marking stale

extension Observer {
  /// Whether the observer needs a run. The graph lock is held.
  var isStale: Bool { !state.isDisjoint(with: [.stale, .possiblyStale]) }

  /// Marks the observer of a changed part stale, or possibly stale if there is a check. The graph
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

  /// Marks the observer stale without a check; its next run records its reads. The graph lock is
  /// held.
  static func markCertainlyStale(for entry: Dependency.Entry, in scheduler: Scheduler) {
    entry.observer._withUnsafeGuaranteedRef {
      $0.isSteady = false
      $0.mark(.stale, in: scheduler)
    }
  }

  /// Marks the observer possibly stale: it runs if the value then differs. The graph lock is held.
  @inline(never)
  private func markPossiblyStale(_ dependency: Dependency.Pointer, in scheduler: Scheduler) {
    if !state.contains(.stale) {
      dependency.pointee.needsCheck = true
      state.insert(.hasChecks)
    }
    mark(.possiblyStale, in: scheduler)
  }

  /// Marks the observer and schedules a run, unless one is scheduled. A run that is left to an
  /// actor does not count: a change on the actor is observed in its own turn.
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

  /// Ends recording for the running closure. If its only dependency is one part read in place,
  /// later runs need not record it.
  @inline(never)
  func becomeSteady() {
    guard dependencies.isOneInPlace else { return }
    graphLock.withLock { isSteady = !isStale }
  }

  /// Records that it depends on a status, so that it runs after saves. The graph lock is held.
  func observeStatus() {
    state.insert(.observesStatus)
  }

  /// The reason for a run.
  private enum Reason: UInt8 {
    /// No run: the observer is not stale, or another thread runs it.
    case none
    /// A dependency certainly changed.
    case certain
    /// The same, and the run need not record its reads.
    case steady
    /// The observer is possibly stale: dependencies need a check.
    case possible
    /// No run: the observer reached the limit of marks in this turn.
    case looping
    /// No run, and the loop is already reported.
    case exhausted

    @inline(__always)
    var isCertain: Bool { self == .certain || self == .steady }
  }

  /// Takes the pending run, if any. Compares raw values, as before and after a run: comparing the
  /// sets costs a call.
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

  /// Takes the pending run if the observer is not just stale.
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

  /// Begins a run of the observer of a changed part without marking it, if it is idle and simple.
  /// The graph lock is held.
  /// - Returns: The retained observer and whether its run is steady; nil for any other observer.
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
        This observer has run \(Scheduler.runLimit) times in one turn and still changes a value that \
        it reads; it does not run again in this turn. In an observer, change a value only if the \
        new value differs.
        """, at: site))
  }
}
