/// What a thread has to do before the outermost batch ends: observers to run, values to save.
///
/// Every mutation is a turn of its own unless it happens inside a batch, an observer or another
/// mutation; then it joins the turn that is under way (rule R8). A turn is passed on as the address
/// of what it knows: every read and every change asks it, and counts no reference for that.
struct Scheduler {
  /// Runs of one observer in one turn after which it counts as a loop that never settles.
  static let runLimit = 100

  /// What this thread has to do; another address on every thread.
  let thread: UnsafeMutablePointer<State>

  init(_ thread: UnsafeMutablePointer<State>) {
    self.thread = thread
  }

  /// What one thread has to do.
  struct State: ~Copyable {
    /// The observer whose closure is running: it hears about every read.
    fileprivate(set) var observer: Unmanaged<Observer>?
    /// The innermost `withLock` under way.
    var mutation: UnsafeMutablePointer<Mutation>?
    fileprivate var depth = 0
    /// The number of the turn under way, another one on every thread.
    fileprivate(set) var number: UInt
    /// Whether it calls a connection to save: what is changed meanwhile is changed by that, or by
    /// who hears of it.
    fileprivate(set) var isSaving = false
    /// Whether it runs observers: what they change can make them run again.
    fileprivate(set) var isFlushing = false
    /// What this thread tells Swift's Observation with.
    var observation = ObservationSpare()
    /// Whether anything waits for the end of the turn.
    fileprivate var hasWork = false
    /// Whether that is more than observers to run.
    fileprivate var hasLateWork = false
    /// The node whose observers run first, without having been marked; retained.
    fileprivate var unmarkedNode: Unmanaged<ObserverNode>?
    fileprivate var observers = WorkQueue<Observer>()
    /// Observers of how saving went: they run when it is known.
    fileprivate var lateObservers = WorkQueue<Observer>()
    fileprivate var unsaved = WorkQueue<Cell>()
    /// What is done when nothing is left to be saved.
    fileprivate var afterSaves: (() -> Void)?
    /// What is done when the turn has ended.
    fileprivate var afterTurn: (() -> Void)?
    /// Objects that were released in the turn.
    fileprivate var left = WorkQueue<AnyObject>()

    fileprivate var mustSave: Bool { !observers.isEmpty || !unsaved.isEmpty }

    /// - Parameter number: The number of the thread's first turn; not 0.
    init(number: UInt) {
      self.number = number
    }

    deinit {
      observers.free()
      lateObservers.free()
      unsaved.free()
      left.free()
    }
  }

  /// Opens a batch inside this turn; every call needs its ``end()``.
  @inline(__always)
  func begin() {
    thread.pointee.depth &+= 1
  }

  /// Closes a batch; the outermost one flushes the turn.
  @inline(__always)
  func end() {
    if thread.pointee.depth == 1 {
      if thread.pointee.hasWork { flush() }
      thread.pointee.number &+= 1
    }
    thread.pointee.depth &-= 1
  }

  /// Has an observer run before the turn ends. The caller has marked it as queued, and holds the
  /// graph lock.
  /// - Parameter isLate: Whether it runs when it is known how saving went.
  @inline(__always)
  func schedule(_ observer: Observer, isLate: Bool) {
    thread.pointee.hasWork = true
    let entry = Unmanaged.passUnretained(observer).hold()
    if isLate {
      thread.pointee.hasLateWork = true
      thread.pointee.lateObservers.items.append(entry)
    } else {
      thread.pointee.observers.items.append(entry)
    }
  }

  /// Whether the turn ends as soon as the change under way does, has nothing else to do before, and
  /// no other thread can come in between.
  var endsWithThisChange: Bool {
    Self.isOnly && thread.pointee.depth == 1 && !thread.pointee.hasWork
      && !thread.pointee.isFlushing
  }

  /// Has the observers of a node run before all others when the turn ends, without being marked.
  /// The turn must have nothing else to do yet.
  @inline(__always)
  func runFirst(_ node: ObserverNode) {
    thread.pointee.hasWork = true
    thread.pointee.unmarkedNode = .passRetained(node)
  }

  /// Calls `body`, which marks observers of what was changed before observers ran: it is not they
  /// that have made them stale.
  func asBeforeObservers(_ body: () -> Void) {
    let isFlushing = thread.pointee.isFlushing
    thread.pointee.isFlushing = false
    body()
    thread.pointee.isFlushing = isFlushing
  }

  /// Has a cell save itself once when the turn ends.
  @inline(__always)
  func scheduleSave(of cell: Cell) {
    thread.pointee.hasWork = true
    thread.pointee.hasLateWork = true
    thread.pointee.unsaved.items.append(.passRetained(cell))
  }

  /// Keeps an object that is released until the turn ends: an outer call may still use it.
  func keep(_ object: AnyObject) {
    guard thread.pointee.depth > 0 else { return }
    thread.pointee.hasWork = true
    thread.pointee.hasLateWork = true
    thread.pointee.left.items.append(.passRetained(object))
  }

  /// Calls `body` once when the observers of the turn under way have run; now if there is no turn.
  func afterTurn(_ body: @escaping () -> Void) {
    guard thread.pointee.depth > 0 else { return body() }
    thread.pointee.hasWork = true
    let former = thread.pointee.afterTurn
    thread.pointee.afterTurn = {
      former?()
      body()
    }
  }

  /// Runs observers, saves what has changed, and goes on until nothing is left.
  @inline(never)
  private func flush() {
    thread.pointee.isFlushing = true
    while thread.pointee.hasWork {
      thread.pointee.hasWork = false
      if let node = thread.pointee.unmarkedNode { runUnmarked(node) }
      while let observer = thread.pointee.observers.next() {
        // Not a closure, which the compiler would leave to a call: what comes next is in the loop.
        @inline(__always)
        func runInPlace(_ observer: Observer) {
          if observer.isolation.isCurrent {
            observer.runInPlace(in: self)
          } else {
            observer.leaveToActor()
          }
        }
        observer._withUnsafeGuaranteedRef(runInPlace)
        observer.endHold()
      }
      if thread.pointee.hasLateWork { finishRound() }
    }
    thread.pointee.isFlushing = false
    if let afterTurn = thread.pointee.afterTurn {
      thread.pointee.afterTurn = nil
      afterTurn()
    }
  }

  /// Runs the observers of a node that were not marked.
  @inline(__always)
  private func runUnmarked(_ node: Unmanaged<ObserverNode>) {
    thread.pointee.unmarkedNode = nil
    node._withUnsafeGuaranteedRef { node in
      while let (observer, isSteady) = graphLock.withLock({ node.takeUnmarked() }) {
        // Not a closure, which the compiler would leave to a call.
        @inline(__always)
        func runInPlace(_ observer: Observer) {
          observer.runTaken(isSteady: isSteady, in: self)
        }
        observer._withUnsafeGuaranteedRef(runInPlace)
        observer.endHold()
      }
    }
    node.release()
  }

  /// Saves what has changed, runs who waits for that, and releases what was kept: few turns have
  /// any of it.
  @inline(never)
  private func finishRound() {
    thread.pointee.hasLateWork = false
    // What is changed meanwhile is for the next round, after its observers.
    for _ in 0..<thread.pointee.unsaved.count {
      guard let cell = thread.pointee.unsaved.next() else { break }
      cell._withUnsafeGuaranteedRef { $0.saveChanges() }
      cell.release()
    }
    if let afterSaves = thread.pointee.afterSaves {
      if thread.pointee.mustSave {
        thread.pointee.hasLateWork = true
      } else {
        thread.pointee.afterSaves = nil
        afterSaves()
      }
    }
    for _ in 0..<thread.pointee.lateObservers.count {
      guard let observer = thread.pointee.lateObservers.next() else { break }
      run(observer)
    }
    while let object = thread.pointee.left.next() { object.release() }
  }

  @inline(__always)
  private func run(_ observer: Unmanaged<Observer>) {
    observer._withUnsafeGuaranteedRef {
      if $0.isolation.isCurrent { $0.runHere(in: self) } else { $0.leaveToActor() }
    }
    observer.endHold()
  }

  /// Calls `body` while an observer hears about what it reads, or none does.
  @inline(__always)
  func with<Output>(
    _ observer: Unmanaged<Observer>?, isSaving: Bool? = nil, _ body: () -> Output
  ) -> Output {
    let outer = (observer: thread.pointee.observer, isSaving: thread.pointee.isSaving)
    thread.pointee.observer = observer
    if let isSaving { thread.pointee.isSaving = isSaving }
    let output = body()
    thread.pointee.observer = outer.observer
    if isSaving != nil { thread.pointee.isSaving = outer.isSaving }
    return output
  }

  /// Has the observer that is running hear of nothing that the rest of its run reads.
  @inline(__always)
  func endRecording() {
    guard let observer = thread.pointee.observer else { return }
    observer._withUnsafeGuaranteedRef { $0.becomeSteady() }
    thread.pointee.observer = nil
  }
}

/// Calls `body` once when everything in the turn under way has been saved: what a connection has
/// been given in the turn is complete then.
package func afterSaves(_ body: @escaping () -> Void) {
  let thread = Scheduler.current.thread
  let former = thread.pointee.afterSaves
  thread.pointee.hasWork = true
  thread.pointee.hasLateWork = true
  thread.pointee.afterSaves = {
    former?()
    body()
  }
}
