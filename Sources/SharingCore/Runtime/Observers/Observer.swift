/// A closure that runs again after a change of a value that it read.
///
/// The graph lock guards the state that other threads access; the running thread owns the rest.
/// Dependencies are freed after the lock is released, because that may run foreign code.
final class Observer: @unchecked Sendable {
  let body: () -> Void
  /// The environment to run in, nil for the program's.
  let environment = SharingEnvironment.scoped
  let isolation: ObserverIsolation
  let site: CallSite
  /// The reason for the next run.
  var staleness = Staleness.none
  /// Whether a thread runs the closure.
  var isRunning = false
  /// Whether it never runs again.
  private var isCancelled = false
  /// Whether it depends on a status of loading or saving, and so runs after saves.
  var observesStatus = false
  /// Whether its actor is asked to run it, and has not begun.
  var isLeftToActor = false
  /// The number of runs that a turn has scheduled.
  private var scheduledRuns = TurnCount()
  var dependencies = DependencyList()

  /// Whether the values that an observer read have changed.
  enum Staleness: UInt8 {
    case none
    /// An input of a computed value changed. The observer runs if that value then differs.
    case possible
    case certain
  }

  init(_ isolation: ObserverIsolation, at site: CallSite, _ body: @escaping () -> Void) {
    self.body = body
    self.site = site
    self.isolation = isolation
  }

  /// Runs the closure for the first time.
  func start() {
    let scheduler = Scheduler.current
    scheduler.begin()
    graphLock.withLock {
      staleness = .certain
      scheduledRuns.add(in: scheduler)
    }
    run(in: scheduler)
    scheduler.end()
  }

  /// Ends the observation. The closure is not called again.
  func cancel() {
    let out = graphLock.withLock {
      isCancelled = true
      // If a thread runs it, that thread removes its dependencies.
      return isRunning ? nil : takeOutAll()
    }
    DependencyList.free(out)
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
  /// Marks the observer of a changed part stale, or possibly stale if there is a check. The graph
  /// lock is held.
  static func markStale(for entry: Dependency.Entry, in scheduler: Scheduler) {
    let hasCheck = entry.dependency.pointee.hasChanged != nil
    if hasCheck { entry.dependency.pointee.needsCheck = true }
    entry.observer._withUnsafeGuaranteedRef {
      $0.mark(hasCheck ? .possible : .certain, in: scheduler)
    }
  }

  /// Marks the observer and schedules a run, unless one is scheduled in this turn. A run in another
  /// thread's turn, or on an actor, does not count: each change is observed in its own turn. The
  /// graph lock is held.
  func mark(_ staleness: Staleness, in scheduler: Scheduler) {
    let isScheduled = self.staleness != .none && scheduledRuns.value(in: scheduler) > 0
    if self.staleness != .certain { self.staleness = staleness }
    if isScheduled || isCancelled { return }
    scheduledRuns.add(in: scheduler)
    scheduler.schedule(self, isLate: observesStatus)
  }
}

// MARK: Running

extension Observer {
  /// Runs the closure while the observer is stale. If another thread runs it, that thread runs it
  /// again.
  func run(in scheduler: Scheduler) {
    repeat {
      switch takeRun(in: scheduler) {
      case .none: return
      case .certain: callBody(in: scheduler)
      case .possible: if hasChangedValue() { callBody(in: scheduler) }
      }
    } while finish()
  }

  /// Takes the pending run, if any, and reports an endless loop instead of its next run.
  private func takeRun(in scheduler: Scheduler) -> Staleness {
    var isEndless = false
    let taken = graphLock.withLock {
      guard staleness != .none, !isRunning, !isCancelled else { return Staleness.none }
      defer { staleness = .none }
      let count = scheduledRuns.value(in: scheduler)
      isEndless = count == Scheduler.runLimit + 1
      guard count <= Scheduler.runLimit else { return Staleness.none }
      isRunning = true
      if staleness == .certain { dependencies.dropChecks() }
      return staleness
    }
    if isEndless { reportLoop() }
    return taken
  }

  /// Returns whether a value that needs a check differs from the one that was read. The checks are
  /// foreign code: they run without the lock.
  private func hasChangedValue() -> Bool {
    while let dependency = graphLock.withLock({ dependencies.takeCheck() }) {
      if dependency.pointee.hasChanged?() ?? true {
        graphLock.withLock { dependencies.dropChecks() }
        return true
      }
    }
    return false
  }

  private func callBody(in scheduler: Scheduler) {
    dependencies.rewind()
    scheduler.with(.passUnretained(self)) {
      if SharingEnvironment.scoped === environment {
        body()
      } else {
        (environment ?? .program).run(body)
      }
    }
  }

  /// Ends the current run; another thread may then begin the next. Removes the dependencies that
  /// the run did not repeat. A cancelled observer keeps none.
  /// - Returns: Whether the observer was marked stale meanwhile.
  private func finish() -> Bool {
    let (out, isStale) = graphLock.withLock {
      isRunning = false
      return (isCancelled ? takeOutAll() : dependencies.cut(), staleness != .none)
    }
    DependencyList.free(out)
    return isStale
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
