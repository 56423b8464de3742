/// A closure that runs again when something that it has read has changed.
///
/// The graph lock guards what other threads touch; whoever runs the closure has the rest for itself.
/// What is let go of goes outside the lock, since foreign code may run when it is freed.
final class Observer: @unchecked Sendable {
  private let body: () -> Void
  private let site: CallSite
  /// The environment to run in; nil for the program's.
  private let environment = SharingEnvironment.scoped
  let isolation: ObserverIsolation
  var handOver = HandOver()
  var trail = Trail()
  private var state = State.idle
  private(set) var waits = Waiting.no
  /// Whether any dependency may be suspect.
  private var hasSuspects = false
  /// The turn that queued the observer last, and how often it did so in a row.
  private var queuedIn: UInt = 0
  private var runsInTurn = 0

  private enum State: UInt8 { case idle, running, cancelledWhileRunning, cancelled }

  /// Whether the observer is queued, and something has changed for certain.
  enum Waiting: UInt8 { case no, perhaps, certainly }

  init(_ isolation: ObserverIsolation, at site: CallSite, _ body: @escaping () -> Void) {
    self.body = body
    self.site = site
    self.isolation = isolation
  }

  deinit {
    trail.free()
  }

  /// Runs the closure for the first time.
  func start() {
    let turn = Turn.current
    turn.begin()
    graphLock.withLock { waits = .certainly }
    runHere(in: turn)
    turn.end()
  }

  /// Runs the observer if it still waits for that, or leaves that to its actor.
  func runQueued(in turn: Turn) {
    if isolation.isCurrent { runHere(in: turn) } else { leaveToActor() }
  }

  /// Runs the observer if it still waits for that. While it runs on another thread, it is left
  /// queued: that thread runs it again.
  func runHere(in turn: Turn) {
    var isAgain = true
    while isAgain {
      switch takeFromQueue(in: turn) {
      case .none: return
      case .certain: run(in: turn)
      case .possible: runIfNews(in: turn)
      case .looping: reportLoop()
      case .exhausted: break
      }
      let out: List<Dependency.Pointer>
      (out, isAgain) = finish()
      if !out.isEmpty { Trail.free(out) }
    }
  }

  /// Ends the observation: the closure is not called again.
  func cancel() {
    Turn.current.keep(self)
    let isIdle = graphLock.withLock {
      switch state {
      case .idle:
        state = .cancelled
        return true
      case .running:
        state = .cancelledWhileRunning  // whoever runs it sees to the rest
        return false
      case .cancelledWhileRunning, .cancelled:
        return false
      }
    }
    if isIdle { Trail.free(graphLock.withLock { takeOutAll() }) }
  }

  @inline(__always)
  private func run(in turn: Turn) {
    trail.restart()
    turn.with(self) {
      if SharingEnvironment.scoped === environment { body() } else { runInEnvironment() }
    }
  }

  /// Runs if one of the suspects is another value now.
  @inline(never)
  private func runIfNews(in turn: Turn) {
    for place in 0..<trail.count where takeSuspicion(at: place) && trail[place].pointee.isNews {
      graphLock.withLock { forgetSuspects() }
      return run(in: turn)
    }
  }

  /// A run begins, which reads everything anew. What becomes suspect from now on may do so after it was
  /// read. The graph lock is held.
  private func forgetSuspects() {
    guard hasSuspects else { return }
    hasSuspects = false
    for place in 0..<trail.count { trail[place].pointee.isSuspect = false }
  }

  private func takeSuspicion(at place: Int) -> Bool {
    graphLock.withLock {
      defer { trail[place].pointee.isSuspect = false }
      return trail[place].pointee.isSuspect
    }
  }

  @inline(never)
  private func runInEnvironment() {
    (environment ?? .program).run(body)
  }

  /// Ends the run under way; from then on another thread may begin the next.
  /// - Returns: What the run has not gone by, unlike the one before, to be freed; all when the observer
  ///   is cancelled. And whether it has been queued meanwhile.
  @inline(__always)
  private func finish() -> (out: List<Dependency.Pointer>, isAgain: Bool) {
    graphLock.withLock {
      guard state == .running else {
        state = .cancelled
        return (takeOutAll(), false)
      }
      state = .idle
      return (trail.isAtEnd ? List() : takeOutRest(), waits != .no)
    }
  }

  /// Takes out what the run under way has not gone by. The graph lock is held.
  /// - Returns: What is to be freed when it is not.
  @inline(never)
  func takeOutRest() -> List<Dependency.Pointer> { trail.cut() }

  private func takeOutAll() -> List<Dependency.Pointer> {
    trail.restart()
    return takeOutRest()
  }
}

// MARK: Being woken

extension Observer {
  /// Has the observer of a read run before the turn ends, once. The graph lock is held.
  @inline(__always)
  static func queue(for dependency: Dependency.Pointer, in turn: Turn) {
    if dependency.pointee.hasChanged != nil { return suspect(dependency, in: turn) }
    dependency.pointee.observer._withUnsafeGuaranteedRef { $0.queueCertainly(in: turn) }
  }

  /// The same, whatever the value is now. The graph lock is held.
  @inline(never)
  static func queueCertainly(for dependency: Dependency.Pointer, in turn: Turn) {
    dependency.pointee.observer._withUnsafeGuaranteedRef { $0.queueCertainly(in: turn) }
  }

  @inline(__always)
  func queueCertainly(in turn: Turn) {
    let isQueued = isQueued
    waits = .certainly
    if !isQueued { enqueue(in: turn) }
  }

  /// The same, if the value is another one by then. The graph lock is held.
  @inline(never)
  private static func suspect(_ dependency: Dependency.Pointer, in turn: Turn) {
    dependency.pointee.observer._withUnsafeGuaranteedRef {
      let isQueued = $0.isQueued
      if isQueued, $0.waits == .certainly { return }
      dependency.pointee.isSuspect = true
      $0.hasSuspects = true
      if $0.waits == .no { $0.waits = .perhaps }
      if !isQueued { $0.enqueue(in: turn) }
    }
  }

  /// Whether a turn will run the observer before it ends. What is left to an actor need not wait for
  /// that: a change that is made on the actor is seen in its turn.
  @inline(__always)
  private var isQueued: Bool { waits != .no && !handOver.isDue }

  @inline(__always)
  private func enqueue(in turn: Turn) {
    guard state == .idle || state == .running else { return }
    handOver.takeBack()
    let number = turn.number
    runsInTurn = queuedIn == number ? runsInTurn &+ 1 : 1
    queuedIn = number
    turn.enqueue(self)
  }

  /// Why an observer runs.
  private enum Reason {
    /// It does not wait, or runs on another thread.
    case none
    case certain
    /// Something that the suspects were computed from has changed.
    case possible
    /// It does not: it has been queued in this turn once too often.
    case looping
    /// It does not, and that has been reported.
    case exhausted
  }

  @inline(__always)
  private func takeFromQueue(in turn: Turn) -> Reason {
    graphLock.withLock {
      guard waits != .no, state == .idle else { return .none }
      let isCertain = waits == .certainly
      waits = .no
      state = .running
      if runsInTurn > Turn.runLimit, queuedIn == turn.number {
        return runsInTurn == Turn.runLimit + 1 ? .looping : .exhausted
      }
      if isCertain { forgetSuspects() }
      return isCertain ? .certain : .possible
    }
  }

  @inline(never)
  private func reportLoop() {
    SharingEnvironment.current.report(
      SharingIssue(
        """
        This observer has run \(Turn.runLimit) times in one turn and still changes what it reads; \
        it is left alone until the next turn. Change state in it only when it differs.
        """, at: site))
  }
}
