/// What a thread has to do before the outermost batch ends: observers to run, values to save.
///
/// Every mutation is a turn of its own unless it happens inside a batch, an observer or another
/// mutation; then it joins the turn that is under way (rule R8). A turn is passed on as the address of
/// what it knows: every read and every change asks it, and counts no reference for that.
struct Turn {
  /// Runs of one observer in one turn after which it counts as a loop that never settles.
  static let runLimit = 100

  private let state: UnsafeMutablePointer<State>

  init(_ state: UnsafeMutablePointer<State>) {
    self.state = state
  }

  /// What one thread's turn knows.
  struct State: ~Copyable {
    fileprivate var observer: Unmanaged<Observer>?
    fileprivate var mutation: UnsafeMutablePointer<Mutation>?
    fileprivate var depth = 0
    fileprivate var number: UInt
    /// Whether anything waits for the end of the turn.
    fileprivate var hasWork = false
    fileprivate var queue = List<Unmanaged<Observer>>()
    fileprivate var next = 0
    /// Who saves when it ends, and who is about to.
    fileprivate var unsaved = ObjectList<Root>()
    fileprivate var saving = ObjectList<Root>()
    /// Whether it calls a key to save.
    fileprivate var isSaving = false
    /// What was let go of in it.
    fileprivate var left = ObjectList<AnyObject>()
    fileprivate var observation = ObservationSpare()

    /// - Parameter number: The number of the thread's first turn; not 0.
    init(number: UInt) {
      self.number = number
    }

    deinit {
      queue.free()
      unsaved.free()
      saving.free()
    }
  }

  /// The number of the turn under way, another one on every thread.
  var number: UInt { state.pointee.number }

  /// What this thread tells Swift's Observation with.
  var observation: ObservationSpare {
    _read { yield state.pointee.observation }
    nonmutating _modify { yield &state.pointee.observation }
  }

  /// Which thread's turn this is.
  var thread: UnsafeRawPointer { UnsafeRawPointer(state) }

  /// Opens a batch inside this turn; every call needs its ``end()``.
  @inline(__always)
  func begin() {
    state.pointee.depth &+= 1
  }

  /// Closes a batch; the outermost one settles the turn.
  @inline(__always)
  func end() {
    if state.pointee.depth == 1 {
      if state.pointee.hasWork { settle() }
      state.pointee.number &+= 1
    }
    state.pointee.depth &-= 1
  }

  /// Has an observer run before the turn ends. The caller has marked it as queued.
  @inline(__always)
  func enqueue(_ observer: Observer) {
    state.pointee.hasWork = true
    state.pointee.queue.append(Unmanaged.passUnretained(observer).hold())
  }

  /// Has a root save itself once when the turn ends.
  func saveLater(_ root: Root) {
    state.pointee.hasWork = true
    state.pointee.unsaved.append(root)
  }

  /// Whether it calls a key to save: what is changed meanwhile is changed by that, or by who hears of it.
  var isSaving: Bool { state.pointee.isSaving }

  /// Calls `body`, which has a key save.
  func whileSaving(_ body: () -> Void) {
    let outer = state.pointee.isSaving
    state.pointee.isSaving = true
    body()
    state.pointee.isSaving = outer
  }

  /// Keeps an object that is let go of until the turn under way ends: it may be in use further out.
  func keep(_ object: AnyObject) {
    guard state.pointee.depth > 0 else { return }
    state.pointee.hasWork = true
    state.pointee.left.append(object)
  }

  /// Runs what is queued, saves what has changed, and goes on until nothing is left.
  @inline(never)
  private func settle() {
    while state.pointee.hasWork {
      state.pointee.hasWork = false
      while state.pointee.next < state.pointee.queue.count {
        let observer = state.pointee.queue[state.pointee.next]
        state.pointee.next &+= 1
        observer._withUnsafeGuaranteedRef { $0.runQueued(in: self) }
        observer.letGo()
      }
      state.pointee.queue.removeAll()
      state.pointee.next = 0
      if !state.pointee.unsaved.isEmpty || !state.pointee.left.isEmpty { finish() }
    }
  }

  @inline(never)
  private func finish() {
    // Who comes meanwhile is for the next round.
    let left = state.pointee.left
    state.pointee.left = ObjectList()
    swap(&state.pointee.unsaved, &state.pointee.saving)
    for index in 0..<state.pointee.saving.count { state.pointee.saving[index].saveChanges() }
    state.pointee.saving.removeAll()
    left.free()
  }
}

// MARK: The running observer

extension Turn {
  /// The observer whose closure is running: it hears about every read.
  var observer: Unmanaged<Observer>? { state.pointee.observer }

  /// Calls `body` while an observer hears about what it reads.
  @inline(__always)
  func with(_ observer: Observer, _ body: () -> Void) {
    let outer = state.pointee.observer
    state.pointee.observer = .passUnretained(observer)
    body()
    state.pointee.observer = outer
  }

  /// Calls `body` without the running observer's hearing about what it reads.
  func withoutObserver<Output>(_ body: () -> Output) -> Output {
    let outer = state.pointee.observer
    state.pointee.observer = nil
    defer { state.pointee.observer = outer }
    return body()
  }
}

// MARK: Exclusive access

extension Turn {
  /// Whether this thread is changing anything.
  var isMutating: Bool { state.pointee.mutation != nil }

  /// Notes that this thread begins to change a root.
  @inline(__always)
  func begin(_ mutation: UnsafeMutablePointer<Mutation>, of root: Root) {
    mutation.pointee.root = ObjectIdentifier(root)
    mutation.pointee.outer = state.pointee.mutation
    state.pointee.mutation = mutation
  }

  /// Notes the end of the mutation that has begun last.
  @inline(__always)
  func endMutation() {
    state.pointee.mutation = state.pointee.mutation?.pointee.outer
  }

  /// Stops a read of a root that this thread is changing: the value may be half written.
  func checkRead(of root: Root) {
    if isMutating { refuse(root, at: nil, "A read") }
  }

  /// Stops a change of a root that this thread is changing.
  @inline(never)
  func checkChange(of root: Root, at site: CallSite) {
    refuse(root, at: site, "A withLock at \(site.text)")
  }

  /// Stops what asks the key of a root that this thread is changing.
  func checkRequest(of root: Root) {
    if isMutating { refuse(root, at: nil, "A load, save or reset") }
  }

  @inline(never)
  private func refuse(
    _ root: Root, at site: CallSite?, _ what: @autoclosure () -> UTF8Text
  ) {
    var next = state.pointee.mutation
    while let mutation = next {
      if mutation.pointee.root == ObjectIdentifier(root) {
        mutation.pointee.refuse(what(), at: site)
      }
      next = mutation.pointee.outer
    }
  }
}
