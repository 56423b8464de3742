#if hasFeature(Embedded)
  /// The actor on which an observer runs; Embedded Swift for wasm has none.
  struct ObserverIsolation {
    /// Whether the caller runs on the observer's actor, or the observer has none.
    var isCurrent: Bool { true }
  }

  /// The thread that will run a stale observer: there is one.
  struct PendingRun {
    func isQueued(in scheduler: Scheduler) -> Bool { true }
    func didQueue(in scheduler: Scheduler) {}
  }

  extension Observer {
    func leaveToActor() {}
  }
#else
  /// The actor on which an observer runs: the actor of the code that made it, if any.
  struct ObserverIsolation {
    private let isIsolated: Bool
    /// Weak, because an actor may own the token. If the actor is freed, the closure is not isolated
    /// to it: such a closure would retain the actor.
    private weak var actor: (any Actor)?

    init(_ actor: (any Actor)? = nil) {
      isIsolated = actor != nil
      self.actor = actor
    }

    /// Whether the caller runs on the observer's actor, or the observer has none.
    @inline(__always)
    var isCurrent: Bool { !isIsolated || isOnActor }

    @inline(never)
    private var isOnActor: Bool {
      guard let actor else { return true }
      return RuntimeChecks.isCurrent(actor)
    }

    /// Returns whether this is the isolation to an actor.
    fileprivate func isOf(_ other: any Actor) -> Bool { actor === other }

    /// Calls a closure on the actor, later.
    fileprivate func enqueue(_ body: @escaping @Sendable () -> Void) {
      guard let actor else { return body() }
      Task { await Self.run(body, on: actor) }
    }

    private static func run(_ body: () -> Void, on actor: isolated any Actor) {
      body()
    }
  }

  /// Where a stale observer will run: in the turn of a thread, or on its actor. Guarded by the
  /// graph lock.
  struct PendingRun {
    /// The thread that queued it last.
    private var thread: UnsafeMutablePointer<Scheduler.State>?
    /// Whether the run is left to its actor. Reset if a turn runs the observer instead, or hands it
    /// over again.
    fileprivate var isLeftToActor = false
    /// Whether a run is enqueued on the actor and has not begun.
    fileprivate var isEnqueued = false

    /// Returns whether the observer is queued for the current turn of this thread. A turn of
    /// another thread, or the actor, may run it much later.
    func isQueued(in scheduler: Scheduler) -> Bool {
      !isLeftToActor && thread == scheduler.thread
    }

    mutating func didQueue(in scheduler: Scheduler) {
      isLeftToActor = false
      thread = scheduler.thread
    }
  }

  /// The observers of which an actor has been asked to run them and has not begun. Guarded by the
  /// graph lock; each is kept by what its actor was asked to do.
  nonisolated(unsafe) private var handedOver: [Observer] = []

  extension Observer {
    /// Leaves the next run to the observer's actor.
    func leaveToActor() {
      let mustEnqueue = graphLock.withLock {
        guard isStale else { return false }
        pendingRun.isLeftToActor = true
        guard !pendingRun.isEnqueued else { return false }
        pendingRun.isEnqueued = true
        handedOver.append(self)
        return true
      }
      if mustEnqueue { isolation.enqueue { self.runHandedOver() } }
    }

    /// Runs the observers that are left to an actor. The caller runs on it.
    static func runAll(leftTo actor: (any Actor)?) {
      guard let actor else { return }
      let observers = graphLock.withLock { handedOver.filter { $0.isolation.isOf(actor) } }
      for observer in observers { observer.runHandedOver() }
    }

    /// Runs on the actor, unless a turn there already ran the observer, or another turn must end
    /// first.
    private func runHandedOver() {
      let isDue = graphLock.withLock {
        defer { pendingRun = PendingRun() }
        handedOver.removeAll { $0 === self }
        return pendingRun.isLeftToActor
      }
      guard isDue else { return }
      let scheduler = Scheduler.current
      scheduler.begin()
      runHere(in: scheduler)
      scheduler.end()
    }
  }
#endif
