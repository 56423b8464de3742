/// A closure that runs again after a change of a value that it read.
///
/// The graph lock guards the state that other threads access; the running thread owns the rest.
/// Dependencies are freed after the lock is released, because that may run foreign code.
final class Observer: @unchecked Sendable {
  // The properties that each change and each run use come first.
  let body: () -> Void
  /// The environment to run in, nil for the program's.
  let environment = SharingEnvironment.scoped
  var state = ObserverState.idle
  /// Whether the closure has exactly one dependency, at a constant address. Then a run need not
  /// record it, until the handle points elsewhere.
  var isSteady = false
  /// Whether it has exactly one dependency and runs after every change of it. Guarded by the graph
  /// lock.
  var isSimple = false
  var dependencies = DependencyList()
  let isolation: ObserverIsolation
  var pendingRun = PendingRun()
  let site: CallSite
  /// The number of times that an observer, or this one, marked it stale in a turn.
  var marks = TurnCount()

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

  /// Call it after a change of the dependencies. The graph lock is held.
  func noteDependencies() {
    isSimple = dependencies.isOneWithoutCheck
  }

  /// Removes all dependencies. The graph lock is held.
  /// - Returns: The first of them. Free it after the lock is released.
  func takeOutAll() -> Dependency.Pointer? {
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
      $0.pendingRun.didQueue(in: scheduler)
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

  /// Marks the observer and schedules a run, unless one is scheduled in this turn. A run in another
  /// thread's turn, or on an actor, does not count: each change is observed in its own turn.
  @inline(never)
  func mark(_ staleness: ObserverState, in scheduler: Scheduler) {
    let isQueued = isStale && pendingRun.isQueued(in: scheduler)
    state.insert(staleness)
    if isQueued || state.contains(.cancelled) { return }
    pendingRun.didQueue(in: scheduler)
    if scheduler.thread.pointee.isFlushing || state.contains(.running) {
      if marks.add(in: scheduler.turn) >= Scheduler.runLimit { state.insert(.looping) }
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
}

/// The state of an observer and of its dependencies, in one byte: in the usual case, a change or a
/// run needs only one comparison.
struct ObserverState: OptionSet {
  let rawValue: UInt8

  /// Nothing changed, and no thread runs it. Not `[]`: with that, each change and each run would
  /// check whether the constant is initialized.
  static let idle = ObserverState()
  /// A dependency changed: it needs a run.
  static let stale = ObserverState(rawValue: 1)
  /// A dependency may have changed: it needs a run, unless a check finds no change.
  static let possiblyStale = ObserverState(rawValue: 2)
  /// A thread is running its closure.
  static let running = ObserverState(rawValue: 4)
  /// It never runs again.
  static let cancelled = ObserverState(rawValue: 8)
  /// A dependency may need a check.
  static let hasChecks = ObserverState(rawValue: 16)
  /// It reached the limit of marks in one turn.
  static let looping = ObserverState(rawValue: 32)
  /// It depends on a status of loading or saving, and runs after saves.
  static let observesStatus = ObserverState(rawValue: 64)
}
