// The runs of an observer: taking one, calling the closure, ending it.

extension Observer {
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

  @inline(never)
  private func reportLoop() {
    (environment ?? .program).onIssue(
      SharingIssue(
        """
        This observer has run \(Scheduler.runLimit) times in one turn and still changes a value \
        that it reads; it does not run again in this turn. In an observer, change a value only if \
        the new value differs.
        """, at: site))
  }
}

// MARK: Taking a run

extension Observer {
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
    let marks = marks.value(in: scheduler.turn)
    if former.contains(.looping), marks > 0 {
      return marks == Scheduler.runLimit ? .looping : .exhausted
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
}
