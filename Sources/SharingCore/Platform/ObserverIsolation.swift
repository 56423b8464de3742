#if hasFeature(Embedded)
  /// The actor on which an observer runs; Embedded Swift for wasm has none.
  struct ObserverIsolation {
    /// Whether the code that asks runs where the observer may run.
    var isCurrent: Bool { true }
  }

  /// Whether an observer's next run is left to its actor.
  struct HandOver {
    var isDue = false
  }

  extension Observer {
    func leaveToActor() {}
  }
#else
  /// The actor on which an observer runs: that of the code which has made it, if there is one.
  struct ObserverIsolation {
    private let isIsolated: Bool
    /// Not kept: an actor may own the token. The closure of one that is gone is not isolated to it,
    /// since it would have kept the actor.
    private weak var actor: (any Actor)?

    init(_ actor: (any Actor)? = nil) {
      isIsolated = actor != nil
      self.actor = actor
    }

    /// Whether the code that asks runs where the observer may run.
    @inline(__always)
    var isCurrent: Bool { !isIsolated || isOnActor }

    @inline(never)
    private var isOnActor: Bool {
      guard let actor else { return true }
      return RuntimeChecks.isCurrent(actor)
    }

    /// Whether this is an actor's.
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

  /// Whether an observer's next run is left to its actor. Guarded by the graph lock.
  struct HandOver {
    /// Taken back where a turn runs the observer instead, or hands it over again.
    var isDue = false
    /// Whether the actor has been asked to run the observer and has not begun.
    fileprivate var isEnqueued = false
  }

  /// The observers of which an actor has been asked to run them and has not begun. Guarded by the
  /// graph lock; each is kept by what its actor was asked to do.
  nonisolated(unsafe) private var handedOver: [Observer] = []

  extension Observer {
    /// Leaves the run that is due to the observer's actor.
    func leaveToActor() {
      let mustEnqueue = graphLock.withLock {
        guard isStale else { return false }
        handOver.isDue = true
        guard !handOver.isEnqueued else { return false }
        handOver.isEnqueued = true
        handedOver.append(self)
        return true
      }
      if mustEnqueue { isolation.enqueue { self.runHandedOver() } }
    }

    /// Runs now what is left to an actor. The caller runs on it.
    static func runAll(leftTo actor: (any Actor)?) {
      guard let actor else { return }
      let observers = graphLock.withLock { handedOver.filter { $0.isolation.isOf(actor) } }
      for observer in observers { observer.runHandedOver() }
    }

    /// Runs on the actor, unless a change there has been faster, or another turn has still to end.
    private func runHandedOver() {
      let isDue = graphLock.withLock {
        defer { handOver = HandOver() }
        handedOver.removeAll { $0 === self }
        return handOver.isDue
      }
      guard isDue else { return }
      let scheduler = Scheduler.current
      scheduler.begin()
      runHere(in: scheduler)
      scheduler.end()
    }
  }
#endif
