/// A closure that runs again when something that it has read has changed.
///
/// The graph lock guards what other threads touch; whoever runs the closure has the rest for itself.
/// What is let go of goes outside the lock, since foreign code may run when it is freed.
final class Observer: @unchecked Sendable {
  private let body: () -> Void
  private let site: CallSite
  private let environment = SharingEnvironment.current
  /// What the last run has gone by, in order.
  private var dependencies: [Dependency.Pointer] = []
  /// How much of that the run under way has gone by in the same way.
  private var confirmed = 0
  private var state = State.idle
  private var isQueued = false
  /// Whether something has changed for certain.
  private var mustRun = false
  /// The reads of computed values whose base has changed.
  private var suspects: [Dependency.Pointer] = []
  /// The turn that queued the observer last, and how often it did so in a row.
  private var queuedIn: Turn.Number?
  private var runsInTurn = 0

  private enum State { case idle, running, cancelledWhileRunning, cancelled }

  init(at site: CallSite, _ body: @escaping () -> Void) {
    self.body = body
    self.site = site
  }

  /// Runs the closure for the first time.
  func start() {
    let turn = Turn.current
    turn.begin()
    graphLock.withLock {
      isQueued = true
      mustRun = true
    }
    runQueued(in: turn)
    turn.end()
  }

  /// Runs the observer if it still waits for that. While it runs on another thread, it is left
  /// queued: that thread runs it again.
  func runQueued(in turn: Turn) {
    while let reason = takeFromQueue(in: turn) {
      if holds(reason) { run(in: turn) }
      free(finish())
    }
  }

  /// Ends the observation: the closure is not called again.
  func cancel() {
    let dropped: [Dependency.Pointer] = graphLock.withLock {
      switch state {
      case .idle:
        state = .cancelled
        return forget(after: 0)
      case .running:
        state = .cancelledWhileRunning  // whoever runs it sees to the rest
        return []
      case .cancelledWhileRunning, .cancelled:
        return []
      }
    }
    free(dropped)
  }

  private func run(in turn: Turn) {
    confirmed = 0
    turn.with(self) {
      if SharingEnvironment.current === environment { body() } else { environment.run(body) }
    }
  }

  private func finish() -> [Dependency.Pointer] {
    graphLock.withLock {
      let isCancelled = state == .cancelledWhileRunning
      state = isCancelled ? .cancelled : .idle
      return forget(after: isCancelled ? 0 : confirmed)
    }
  }

  /// Takes all but the first `count` dependencies out of the lists. The graph lock is held.
  /// - Returns: The dependencies, to be freed when it is not.
  private func forget(after count: Int) -> [Dependency.Pointer] {
    guard dependencies.count > count else { return [] }
    let dropped = Array(dependencies[count...])
    dependencies.removeLast(dropped.count)
    for dependency in dropped {
      dependency.pointee.node._withUnsafeGuaranteedRef { $0.remove(dependency) }
    }
    if !suspects.isEmpty { suspects.removeAll { dropped.contains($0) } }
    return dropped
  }

  private func free(_ dropped: [Dependency.Pointer]) {
    for dependency in dropped {
      dependency.deinitialize(count: 1)
      dependency.deallocate()
    }
  }
}

// MARK: Being woken

extension Observer {
  /// Why an observer waits.
  private enum Reason {
    case certain
    /// Something that these were computed from has changed.
    case possible([Dependency.Pointer])
    /// None: it has been queued in this turn again and again.
    case looping(runs: Int)
  }

  /// Has the observer of a read run before the turn ends, once. The graph lock is held.
  static func queue(for dependency: Dependency.Pointer, in turn: Turn) {
    let isCertain = dependency.pointee.hasChanged == nil
    dependency.pointee.observer._withUnsafeGuaranteedRef {
      if !isCertain, !$0.mustRun { $0.suspects.append(dependency) }
      $0.queue(isCertain: isCertain, in: turn)
    }
  }

  /// The same, whatever the value is now. The graph lock is held.
  static func queueCertainly(for dependency: Dependency.Pointer, in turn: Turn) {
    dependency.pointee.observer._withUnsafeGuaranteedRef { $0.queue(isCertain: true, in: turn) }
  }

  private func queue(isCertain: Bool, in turn: Turn) {
    guard state == .idle || state == .running else { return }
    if isCertain { mustRun = true }
    guard !isQueued else { return }
    isQueued = true
    let number = turn.number
    runsInTurn = queuedIn == number ? runsInTurn + 1 : 1
    queuedIn = number
    turn.enqueue(self)
  }

  /// - Returns: Why the observer shall run; nil when it does not wait, or runs on another thread.
  private func takeFromQueue(in turn: Turn) -> Reason? {
    graphLock.withLock {
      guard isQueued, state == .idle else { return nil }
      isQueued = false
      state = .running
      confirmed = dependencies.count
      let isCertain = mustRun
      mustRun = false
      if runsInTurn > Turn.runLimit, queuedIn == turn.number { return .looping(runs: runsInTurn) }
      guard !isCertain else {
        if !suspects.isEmpty { suspects = [] }
        return .certain
      }
      defer { suspects = [] }
      return .possible(suspects)
    }
  }

  /// Whether there is something new to see. No lock is held: this compares computed values.
  private func holds(_ reason: Reason) -> Bool {
    switch reason {
    case .certain: return true
    case .possible(let suspects): return suspects.contains { $0.pointee.hasChanged?() ?? true }
    case .looping(let runs):
      if runs == Turn.runLimit + 1 { reportLoop() }
      return false
    }
  }

  private func reportLoop() {
    SharingEnvironment.current.report(
      SharingIssue(
        """
        This observer has run \(Turn.runLimit) times in one turn and still changes what it reads; \
        it is left alone until the next turn. Change state in it only when it differs.
        """, at: site))
  }
}

// MARK: Reading

extension Observer {
  /// Whether the run under way goes the way of the last one: through this box, which still points
  /// where it did. Most runs do.
  @inline(__always)
  func confirm(_ kind: Dependency.Kind, through box: Box, _ direction: UInt32) -> Bool {
    guard confirmed < dependencies.count,
      dependencies[confirmed].pointee.isOf(kind, through: box, direction)
    else { return false }
    confirmed += 1
    return true
  }

  /// Notes that the run under way goes by a reference: it reads the value, or derives from it.
  /// - Parameter box: What it came through; nil for one that was made in passing.
  func record(
    _ kind: Dependency.Kind, _ reference: Reference, through box: Box?, _ direction: UInt32
  ) {
    if let box {
      if confirm(kind, through: box, direction) { return }
    } else if isNext(reference) {
      return confirmed += 1
    }
    if kind == .value { reference.root.willBeObserved() }
    let dropped = graphLock.withLock {
      let dropped = forget(after: confirmed)
      insert(kind, reference, box, direction)
      return dropped
    }
    free(dropped)
    confirmed += 1
  }

  /// The graph lock is held.
  private func insert(
    _ kind: Dependency.Kind, _ reference: Reference, _ box: Box?, _ direction: UInt32
  ) {
    let node = reference.observedNode()
    let made = Dependency.Pointer.allocate(capacity: 1)
    made.initialize(
      to: Dependency(
        kind: kind, observer: .passUnretained(self), box: box, direction: direction,
        root: reference.root, node: .passUnretained(node)))
    node.insert(made)
    dependencies.append(made)
  }

  /// Whether the next thing that the last run has gone by is the value of this reference.
  private func isNext(_ reference: Reference) -> Bool {
    guard confirmed < dependencies.count else { return false }
    let next = dependencies[confirmed]
    return next.pointee.box == nil && next.pointee.root === reference.root
      && next.pointee.node._withUnsafeGuaranteedRef { $0.isNode(of: reference) }
  }

  /// Notes how to tell whether what was read last has changed; nil where every change counts.
  func note(_ changeCheck: (() -> Bool)?) {
    let dependency = dependencies[confirmed - 1]
    if changeCheck == nil, dependency.pointee.hasChanged == nil { return }
    let old = graphLock.withLock {
      let old = dependency.pointee.hasChanged
      dependency.pointee.hasChanged = changeCheck
      return old
    }
    _ = old
  }
}
