/// A closure that runs again when something that it read has changed.
///
/// The graph lock guards what other threads touch; whoever runs the closure has the rest for itself.
/// What is let go of goes outside the lock, since foreign code may run when it is freed.
final class Observer: @unchecked Sendable {
  private let body: () -> Void
  private let site: CallSite
  private let environment = SharingEnvironment.current
  private var dependencies: [Dependency] = []
  /// How many reads of the run under way were the same as the last run's, in order.
  private var confirmed = 0
  private var state = State.idle
  private var isQueued = false
  /// Whether something has changed for certain.
  private var mustRun = false
  /// The reads of computed values whose base has changed.
  private var suspects: [Dependency] = []
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
    while takeFromQueue() {
      if hasReason, !isLooping(in: turn) { run(in: turn) }
      finish()
    }
  }

  /// Ends the observation: the closure is not called again.
  func cancel() {
    let dropped: [Dependency] = graphLock.withLock {
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
    _ = dropped
  }

  private func run(in turn: Turn) {
    let outer = turn.observer
    turn.observer = self
    confirmed = 0
    if SharingEnvironment.current === environment { body() } else { environment.run(body) }
    turn.observer = outer
    let dropped = graphLock.withLock { forget(after: confirmed) }
    _ = dropped
  }

  private func takeFromQueue() -> Bool {
    graphLock.withLock {
      guard isQueued, state == .idle else { return false }
      isQueued = false
      state = .running
      return true
    }
  }

  /// Whether there is something new to see. No lock is held: this compares computed values.
  private var hasReason: Bool {
    let (isCertain, suspects) = graphLock.withLock {
      let reasons = (mustRun, self.suspects)
      mustRun = false
      self.suspects = []
      return reasons
    }
    return isCertain || suspects.contains { $0.hasChanged?() ?? true }
  }

  private func finish() {
    let dropped = graphLock.withLock {
      state = state == .cancelledWhileRunning ? .cancelled : .idle
      return state == .cancelled ? forget(after: 0) : []
    }
    _ = dropped
  }

  /// Leaves the lists of all nodes but the first `count` dependencies'. The graph lock is held.
  /// - Returns: The dependencies, to be let go of when it is not.
  private func forget(after count: Int) -> [Dependency] {
    var dropped: [Dependency] = []
    while dependencies.count > count {
      let dependency = dependencies.removeLast()
      dependency.node.remove(dependency)
      dropped.append(dependency)
    }
    return dropped
  }
}

// MARK: Being woken

extension Observer {
  /// Has the observer run before the turn ends, once. The graph lock is held.
  /// - Parameter dependency: The read whose value may have changed.
  func queue(for dependency: Dependency, in turn: Turn) {
    guard state == .idle || state == .running else { return }
    if dependency.hasChanged == nil {
      mustRun = true
    } else if !mustRun {
      suspects.append(dependency)
    }
    guard !isQueued else { return }
    isQueued = true
    runsInTurn = queuedIn == turn.number ? runsInTurn + 1 : 1
    queuedIn = turn.number
    turn.enqueue(self)
  }

  /// Whether the turn has queued the observer again and again.
  private func isLooping(in turn: Turn) -> Bool {
    let runs = graphLock.withLock { queuedIn == turn.number ? runsInTurn : 0 }
    guard runs > Turn.runLimit else { return false }
    if runs == Turn.runLimit + 1 {
      SharingEnvironment.current.report(
        SharingIssue(
          """
          This observer has run \(Turn.runLimit) times in one turn and still changes what it reads; \
          it is left alone until the next turn. Change state in it only when it differs.
          """, at: site))
    }
    return true
  }
}

// MARK: Reading

extension Observer {
  /// Notes a read of the run under way.
  func record(_ reference: Reference) -> Dependency {
    let root: Root = reference.root
    if let known = confirm({ $0.owner === root && $0.node.isNode(of: reference) }) { return known }
    root.willBeObserved()
    return insert(root) { reference.observedNode() }
  }

  /// Notes that the run under way has come through a box.
  func record(_ box: Box) {
    if confirm({ box.isNode($0.node) }) == nil { _ = insert(box) { box.observedNode() } }
  }

  /// Notes how to tell whether what was read has changed; nil where every change counts.
  func note(_ changeCheck: (() -> Bool)?, for dependency: Dependency) {
    if changeCheck == nil, dependency.hasChanged == nil { return }
    let old = graphLock.withLock {
      let old = dependency.hasChanged
      dependency.hasChanged = changeCheck
      return old
    }
    _ = old
  }

  /// The dependency of the last run at this point, if it is for the same read: most runs read alike.
  private func confirm(_ isSame: (Dependency) -> Bool) -> Dependency? {
    guard confirmed < dependencies.count, isSame(dependencies[confirmed]) else { return nil }
    confirmed += 1
    return dependencies[confirmed - 1]
  }

  private func insert(_ owner: AnyObject, _ node: () -> PathNode) -> Dependency {
    let (made, dropped) = graphLock.withLock {
      let dropped = forget(after: confirmed)
      let made = Dependency(of: self, on: node(), of: owner)
      made.node.insert(made)
      dependencies.append(made)
      return (made, dropped)
    }
    _ = dropped
    confirmed += 1
    return made
  }
}
