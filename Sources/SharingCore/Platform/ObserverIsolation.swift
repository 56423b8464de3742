#if hasFeature(Embedded)
  /// The actor on which an observer runs; Embedded Swift for wasm has none.
  struct ObserverIsolation {
    /// Whether the caller runs on the observer's actor, or the observer has none.
    var isCurrent: Bool { true }
  }

  extension Observer {
    func leaveToActor() {}
  }
#else
  #if canImport(Dispatch)
    import Dispatch
  #endif

  /// The actor on which an observer runs: the actor of the code that made it, if any.
  struct ObserverIsolation {
    /// Weak, because an actor may own the token. If the actor is freed, the closure is not isolated
    /// to it: such a closure would retain the actor.
    private(set) weak var actor: (any Actor)?

    init(_ actor: (any Actor)? = nil) {
      self.actor = actor
    }

    /// Whether the observer has no actor, or the caller certainly runs on it. No public function
    /// returns whether the caller runs on any other actor than the main one.
    var isCurrent: Bool {
      guard let actor else { return true }
      return Scheduler.isOnly || actor === MainActor.shared && isOnMainQueue
    }
  }

  #if canImport(Dispatch)
    /// Whether the caller runs on the main queue, and so on the main actor.
    private var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) != nil }

    private let mainQueueKey = {
      let key = DispatchSpecificKey<Void>()
      DispatchQueue.main.setSpecific(key: key, value: ())
      return key
    }()
  #else
    private var isOnMainQueue: Bool { false }
  #endif

  /// The observers that wait for an actor to run them. Guarded by the graph lock.
  nonisolated(unsafe) private var leftToActors: [Observer] = []

  extension Observer {
    /// Leaves the next run to the observer's actor, which also runs it for later changes until
    /// then.
    func leaveToActor() {
      guard let actor = isolation.actor else { return }
      let mustEnqueue = graphLock.withLock {
        guard staleness != .none, !isLeftToActor else { return false }
        isLeftToActor = true
        leftToActors.append(self)
        return true
      }
      if mustEnqueue { Task { await runLeft(on: actor) } }
    }

    private func runLeft(on actor: isolated any Actor) {
      runLeft()
    }

    /// Runs the observers that wait for an actor. The caller runs on it.
    static func runAll(leftTo actor: (any Actor)?) {
      guard let actor else { return }
      let observers = graphLock.withLock {
        leftToActors.filter { $0.isolation.actor === actor }
      }
      for observer in observers { observer.runLeft() }
    }

    /// Runs on the actor, unless a turn there has run the observer meanwhile.
    private func runLeft() {
      let scheduler = Scheduler.current
      scheduler.begin()
      graphLock.withLock {
        isLeftToActor = false
        leftToActors.removeAll { $0 === self }
      }
      run(in: scheduler)
      scheduler.end()
    }
  }
#endif
