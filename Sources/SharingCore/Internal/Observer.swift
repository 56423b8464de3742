/// A closure that runs again when something that it has read has changed.
///
/// The graph lock guards what other threads touch; whoever runs the closure has the rest for itself.
/// What is let go of goes outside the lock, since foreign code may run when it is freed.
final class Observer: @unchecked Sendable {
  private let body: () -> Void
  private let site: CallSite
  /// The environment to run in; nil for the program's.
  private let environment = SharingEnvironment.scoped
  /// What the last run has gone by, in order.
  private var dependencies = List<Dependency.Pointer>()
  /// How much of that the run under way has gone by in the same way.
  private var confirmed = 0
  private var state = State.idle
  private var isQueued = false
  /// Whether something has changed for certain.
  private var mustRun = false
  /// The reads of computed values whose base has changed.
  private var suspects: [Dependency.Pointer] = []
  /// The turn that queued the observer last, and how often it did so in a row.
  private var queuedIn: UInt = 0
  private var runsInTurn = 0

  private enum State: UInt8 { case idle, running, cancelledWhileRunning, cancelled }

  init(at site: CallSite, _ body: @escaping () -> Void) {
    self.body = body
    self.site = site
  }

  deinit {
    dependencies.free()
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
    while true {
      switch takeFromQueue(in: turn) {
      case .none: return
      case .certain: run(in: turn)
      case .possible: runIfNews(in: turn)
      case .looping: reportLoop()
      case .exhausted: break
      }
      if let out = finish() { free(out) }
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
    if isIdle { free(graphLock.withLock { takeOut(after: 0) }) }
  }

  @inline(__always)
  private func run(in turn: Turn) {
    confirmed = 0
    turn.with(self) {
      if SharingEnvironment.scoped === environment { body() } else { runInEnvironment() }
    }
  }

  /// Runs if one of the suspects is another value now.
  @inline(never)
  private func runIfNews(in turn: Turn) {
    let suspects = graphLock.withLock {
      let suspects = self.suspects
      self.suspects = []
      return suspects
    }
    if suspects.contains(where: { $0.pointee.isNews }) { run(in: turn) }
  }

  @inline(never)
  private func runInEnvironment() {
    (environment ?? .program).run(body)
  }

  /// Ends the run under way; from then on another thread may begin the next.
  /// - Returns: What the run has not gone by, unlike the one before, to be freed; all when the observer
  ///   is cancelled.
  @inline(__always)
  private func finish() -> [Dependency.Pointer]? {
    graphLock.withLock {
      guard state == .running else {
        state = .cancelled
        return takeOut(after: 0)
      }
      state = .idle
      return confirmed == dependencies.count ? nil : takeOut(after: confirmed)
    }
  }

  /// Takes all but the first `count` dependencies out of the lists. The graph lock is held.
  /// - Returns: The dependencies, to be freed when it is not.
  @inline(never)
  private func takeOut(after count: Int) -> [Dependency.Pointer] {
    var out: [Dependency.Pointer] = []
    while dependencies.count > count {
      let dependency = dependencies.removeLast()
      // Retained: the node may leave the tree, which is all that keeps it.
      dependency.pointee.node.takeUnretainedValue().remove(dependency)
      out.append(dependency)
    }
    if !suspects.isEmpty { suspects.removeAll { out.contains($0) } }
    return out
  }

  private func free(_ dependencies: [Dependency.Pointer]) {
    for dependency in dependencies {
      dependency.deinitialize(count: 1)
      dependency.deallocate()
    }
  }
}

// MARK: Being woken

extension Observer {
  /// Has the observer of a read run before the turn ends, once. The graph lock is held.
  @inline(__always)
  static func queue(for dependency: Dependency.Pointer, in turn: Turn) {
    if dependency.pointee.hasChanged != nil { return suspect(dependency, in: turn) }
    queueCertainly(for: dependency, in: turn)
  }

  /// The same, whatever the value is now. The graph lock is held.
  @inline(__always)
  static func queueCertainly(for dependency: Dependency.Pointer, in turn: Turn) {
    dependency.pointee.observer._withUnsafeGuaranteedRef { $0.queueCertainly(in: turn) }
  }

  @inline(__always)
  private func queueCertainly(in turn: Turn) {
    mustRun = true
    if !isQueued { queue(in: turn) }
  }

  /// The same, if the value is another one by then. The graph lock is held.
  @inline(never)
  private static func suspect(_ dependency: Dependency.Pointer, in turn: Turn) {
    dependency.pointee.observer._withUnsafeGuaranteedRef {
      if !$0.mustRun, !$0.suspects.contains(dependency) { $0.suspects.append(dependency) }
      if !$0.isQueued { $0.queue(in: turn) }
    }
  }

  @inline(__always)
  private func queue(in turn: Turn) {
    guard state == .idle || state == .running else { return }
    isQueued = true
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
      guard isQueued, state == .idle else { return .none }
      isQueued = false
      state = .running
      confirmed = dependencies.count
      if runsInTurn > Turn.runLimit, queuedIn == turn.number {
        return runsInTurn == Turn.runLimit + 1 ? .looping : .exhausted
      }
      guard mustRun else { return .possible }
      mustRun = false
      if !suspects.isEmpty { suspects = [] }
      return .certain
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
  /// - Returns: What ``note(_:at:)`` takes.
  @discardableResult
  func record(
    _ kind: Dependency.Kind, _ reference: Reference, through box: Box?, _ direction: UInt32
  ) -> Int {
    let place = confirmed
    if let box {
      if confirm(kind, through: box, direction) { return place }
    } else if isNext(kind, reference) {
      confirmed += 1
      return place
    }
    if kind != .direction { reference.root.willBeObserved() }
    let out = graphLock.withLock {
      let out = takeOut(after: confirmed)
      insert(kind, reference, box, direction)
      return out
    }
    free(out)
    confirmed += 1
    // Another thread that has pointed the box elsewhere meanwhile has not found this observer.
    if let box, !box.stillPoints(at: reference, direction) {
      graphLock.withLock { queueCertainly(in: .current) }
    }
    return place
  }

  /// Notes that the run under way has found a part that can go away.
  /// - Returns: Whether that is new: then it may have gone before it was noted.
  func recordPresence(of part: Reference) -> Bool {
    if isNext(.presence, part) {
      confirmed += 1
      return false
    }
    record(.presence, part, through: nil, 0)
    return true
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

  /// Whether the next thing that the last run has gone by is the same of this reference.
  private func isNext(_ kind: Dependency.Kind, _ reference: Reference) -> Bool {
    guard confirmed < dependencies.count else { return false }
    let next = dependencies[confirmed]
    return next.pointee.box == nil && next.pointee.kind == kind
      && next.pointee.root === reference.root
      && next.pointee.node._withUnsafeGuaranteedRef { $0.isNode(of: reference) }
  }

  /// Notes how to tell whether what was read has changed; nil where every change counts. That is so, too,
  /// where the value was computed from others: the same result may have been computed from new ones.
  func note(_ changeCheck: (() -> Bool)?, at place: Int) {
    let changeCheck = confirmed == place + 1 ? changeCheck : nil
    let dependency = dependencies[place]
    if changeCheck == nil, dependency.pointee.hasChanged == nil { return }
    let old = graphLock.withLock {
      let old = dependency.pointee.hasChanged
      dependency.pointee.hasChanged = changeCheck
      return old
    }
    _ = old
  }
}
