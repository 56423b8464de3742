/// A thread's work before the outermost batch ends: observers to run, values to save.
///
/// Every mutation is its own turn, unless it runs inside a batch, an observer or another mutation;
/// then it joins that turn (rule R8). A scheduler is passed as the address of its state: every read
/// and every change uses it, and counts no reference.
struct Scheduler {
  /// The number of runs of one observer in one turn that counts as an endless loop.
  static let runLimit = 100

  /// The state of this thread; its address identifies the thread.
  let thread: UnsafeMutablePointer<State>

  init(_ thread: UnsafeMutablePointer<State>) {
    self.thread = thread
  }

  /// The state of one thread.
  struct State: ~Copyable {
    /// The running observer, which records every read.
    fileprivate(set) var observer: Unmanaged<Observer>?
    /// The innermost running `withLock`.
    var mutation: UnsafeMutablePointer<Mutation>?
    fileprivate var depth = 0
    /// The number of the current turn. Numbers of different threads differ, up to 65,536 threads
    /// (256 with 32-bit words).
    fileprivate(set) var number: UInt
    /// Whether the thread is calling a connection's save. Changes meanwhile come from the
    /// connection or from code that it notifies.
    fileprivate(set) var isSaving = false
    /// Whether there is work for the end of the turn.
    var hasWork = false
    var observers = WorkQueue<Observer>()
    /// The observers of a status, which run after the saves.
    var lateObservers = WorkQueue<Observer>()
    var unsaved = WorkQueue<Cell>()
    /// The number of rounds in which this thread's saves and reads led to others, without a break.
    var repeatedRounds = 0
    /// Whether a save or read of this round led to another one.
    var isRepeated = false
    /// Called when no value is left to save.
    var afterSaves: (() -> Void)?
    /// Called when the turn has ended.
    var afterTurn: (() -> Void)?

    /// Creates the state of a thread.
    /// - Parameter number: The number of the thread's first turn; not 0.
    init(number: UInt) {
      self.number = number
    }

    deinit {
      observers.free()
      lateObservers.free()
      unsaved.free()
    }
  }

  /// The number of the current turn.
  var turn: UInt { thread.pointee.number }

  /// A number of the thread.
  var number: UInt { UInt(bitPattern: thread) }

  /// Begins a batch; every call needs its ``end()``.
  func begin() {
    thread.pointee.depth &+= 1
  }

  /// Ends a batch; the outermost one flushes the turn.
  func end() {
    if thread.pointee.depth == 1 {
      if thread.pointee.hasWork { flush() }
      thread.pointee.number &+= 1
    }
    thread.pointee.depth &-= 1
  }

  /// Schedules a run of an observer before the turn ends. The caller has marked the observer and
  /// holds the graph lock.
  /// - Parameter isLate: Whether it runs after the saves.
  func schedule(_ observer: Observer, isLate: Bool) {
    thread.pointee.hasWork = true
    if isLate {
      thread.pointee.lateObservers.append(observer)
    } else {
      thread.pointee.observers.append(observer)
    }
  }

  /// Schedules a save of a cell at the end of the turn.
  func scheduleSave(of cell: Cell) {
    thread.pointee.hasWork = true
    thread.pointee.unsaved.append(cell)
  }

  /// Calls `body` once after the observers of the current turn, or now if there is no turn.
  func afterTurn(_ body: @escaping () -> Void) {
    guard thread.pointee.depth > 0 else { return body() }
    thread.pointee.hasWork = true
    let former = thread.pointee.afterTurn
    thread.pointee.afterTurn = {
      former?()
      body()
    }
  }

  /// Calls `body` with an observer that records its reads, or with none.
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

  /// Stops recording for the rest of the running observer's run.
  func endRecording() {
    thread.pointee.observer = nil
  }
}

/// Counts events of one turn. An event of another turn begins a new count.
struct TurnCount: Hashable {
  private var turn: UInt = 0
  private var count = 0

  /// Counts one more.
  /// - Returns: The count of the current turn.
  @discardableResult
  mutating func add(in scheduler: Scheduler) -> Int {
    count = value(in: scheduler) &+ 1
    turn = scheduler.turn
    return count
  }

  /// Returns the count of the current turn.
  func value(in scheduler: Scheduler) -> Int {
    turn == scheduler.turn ? count : 0
  }
}

/// Whether the program may have other threads, which run at any moment.
package var hasThreads: Bool { !Scheduler.isOnly }

/// The number of this thread's current turn; not 0. Numbers of different threads differ, up to
/// 65,536 threads (256 with 32-bit words).
package var currentTurn: UInt { Scheduler.current.turn }

/// Begins a batch of this thread, for a caller that cannot pass a closure to `batch`.
package func beginTurn() { Scheduler.current.begin() }

/// Ends the batch of the last `beginTurn()`. The outermost one flushes the turn.
package func endTurn() { Scheduler.current.end() }

/// Calls `body` once when all values of the current turn are saved: then a connection has received
/// everything from the turn.
package func afterSaves(_ body: @escaping () -> Void) {
  let thread = Scheduler.current.thread
  let former = thread.pointee.afterSaves
  thread.pointee.hasWork = true
  thread.pointee.afterSaves = {
    former?()
    body()
  }
}
