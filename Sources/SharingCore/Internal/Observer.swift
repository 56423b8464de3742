/// A closure that runs again when something that it read has changed.
final class Observer: @unchecked Sendable {
  private let body: () -> Void
  private let site: CallSite
  private var dependencies: [Dependency] = []
  /// How many reads of the run under way were the same as the last run's, in order.
  private var confirmed = 0
  private var state = State.idle
  private var isQueued = false
  /// Whether something has changed for certain.
  private var mustRun = false
  /// The reads of computed values whose base has changed.
  private var suspects: [Dependency] = []
  private var isCancelled = false
  private var turnNumber = -1
  private var runsInTurn = 0

  private enum State { case idle, running }

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

  /// Runs the closure and records what it reads.
  private func run(in turn: Turn) {
    let outer = turn.observer
    turn.observer = self
    confirmed = 0
    body()
    turn.observer = outer
    graphLock.withLock { forget(after: confirmed) }
  }

  /// Has the observer run before the turn ends, once. The graph lock is held.
  /// - Parameter dependency: The read whose value may have changed; nil when it has for certain.
  func queue(for dependency: Dependency?, in turn: Turn) {
    guard !isCancelled else { return }
    if let dependency, dependency.hasChanged != nil {
      suspects.append(dependency)
    } else {
      mustRun = true
    }
    guard !isQueued else { return }
    isQueued = true
    turn.enqueue(self)
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
    graphLock.withLock {
      isCancelled = true
      if state == .idle { forget(after: 0) }
    }
  }

  /// Notes a read of the run under way.
  func record(_ reference: Reference, through box: Box) -> Dependency {
    if !confirm(reference, box) {
      reference.root.willBeObserved()
      graphLock.withLock {
        forget(after: confirmed)
        let node = reference.observedNode()
        let dependency = Dependency(of: self, on: node, of: reference.root, through: box)
        node.insert(dependency)
        dependencies.append(dependency)
      }
      confirmed += 1
    }
    return dependencies[confirmed - 1]
  }

  /// Notes how to tell whether what was read has changed; nil where every change counts.
  func note(_ changeCheck: (() -> Bool)?, for dependency: Dependency) {
    if changeCheck == nil, dependency.hasChanged == nil { return }
    graphLock.withLock { dependency.hasChanged = changeCheck }
  }

  /// Whether the read is the one that the last run made at this point: most runs read alike.
  private func confirm(_ reference: Reference, _ box: Box) -> Bool {
    guard confirmed < dependencies.count else { return false }
    let dependency = dependencies[confirmed]
    guard dependency.root === reference.root, dependency.node.isNode(of: reference) else {
      return false
    }
    if dependency.box != ObjectIdentifier(box) {
      graphLock.withLock { dependency.box = ObjectIdentifier(box) }
    }
    confirmed += 1
    return true
  }

  private func takeFromQueue() -> Bool {
    var taken = false
    graphLock.withLock {
      guard isQueued, state == .idle, !isCancelled else { return }
      isQueued = false
      state = .running
      taken = true
    }
    return taken
  }

  /// Whether there is something new to see. No lock is held: this compares computed values.
  private var hasReason: Bool {
    var isCertain = false
    var suspects: [Dependency] = []
    graphLock.withLock {
      swap(&isCertain, &mustRun)
      swap(&suspects, &self.suspects)
    }
    return isCertain || suspects.contains { $0.hasChanged?() ?? true }
  }

  private func finish() {
    graphLock.withLock {
      if isCancelled { forget(after: 0) }
      state = .idle
    }
  }

  private func isLooping(in turn: Turn) -> Bool {
    runsInTurn = turnNumber == turn.number ? runsInTurn + 1 : 1
    turnNumber = turn.number
    guard runsInTurn == Turn.runLimit + 1 else { return runsInTurn > Turn.runLimit }
    SharingEnvironment.current.report(
      SharingIssue(
        """
        This observer has run \(Turn.runLimit) times in one turn and still changes what it reads; it \
        is left alone until the next turn. Change state in it only when it differs.
        """, at: site))
    return true
  }

  /// Leaves the lists of all nodes but the first `count` dependencies'. The graph lock is held.
  private func forget(after count: Int) {
    while dependencies.count > count {
      let dependency = dependencies.removeLast()
      dependency.node.remove(dependency)
    }
  }
}
