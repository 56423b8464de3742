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
    fileprivate var mutation: UnsafePointer<Mutation>?
    fileprivate var depth = 0
    fileprivate var count = 0
    fileprivate var queue: [Unmanaged<Observer>] = []
    fileprivate var next = 0
    fileprivate var unsaved: [Root] = []
    fileprivate var left: [AnyObject] = []
    fileprivate var observation = ObservationSpare()
  }

  /// A mutation under way: one of the thread's `withLock`s, the innermost first.
  fileprivate struct Mutation {
    let root: ObjectIdentifier
    let site: CallSite
    let outer: UnsafePointer<Mutation>?
  }

  /// Tells turns apart, on all threads.
  struct Number: Equatable {
    fileprivate let thread: UnsafeMutablePointer<State>
    fileprivate let turn: Int
  }

  /// The number of the turn under way.
  var number: Number { Number(thread: state, turn: state.pointee.count) }

  /// What this thread tells Swift's Observation with.
  var observation: ObservationSpare {
    _read { yield state.pointee.observation }
    nonmutating _modify { yield &state.pointee.observation }
  }

  /// Which thread's turn this is.
  var thread: UnsafeRawPointer { UnsafeRawPointer(state) }

  /// Opens a batch inside this turn; every call needs its ``end()``.
  func begin() {
    state.pointee.depth += 1
  }

  /// Closes a batch; the outermost one settles the turn.
  func end() {
    if state.pointee.depth == 1 {
      if hasWork { settle() }
      state.pointee.count &+= 1
    }
    state.pointee.depth -= 1
  }

  /// Has an observer run before the turn ends. The caller has marked it as queued.
  func enqueue(_ observer: Observer) {
    state.pointee.queue.append(.passRetained(observer))
  }

  /// Has a root save itself once when the turn ends.
  func saveLater(_ root: Root) {
    state.pointee.unsaved.append(root)
  }

  /// Keeps an object that is let go of until the turn ends: it may be in use further out.
  func keep(_ object: AnyObject) {
    state.pointee.left.append(object)
  }

  private var hasWork: Bool {
    !state.pointee.queue.isEmpty || !state.pointee.unsaved.isEmpty || !state.pointee.left.isEmpty
  }

  /// Runs what is queued, saves what has changed, and goes on until nothing is left.
  @inline(never)
  private func settle() {
    repeat {
      runObservers()
      let (roots, left) = (state.pointee.unsaved, state.pointee.left)
      (state.pointee.unsaved, state.pointee.left) = ([], [])
      for root in roots { root.saveChanges() }
      _ = left
    } while hasWork
  }

  private func runObservers() {
    while state.pointee.next < state.pointee.queue.count {
      let observer = state.pointee.queue[state.pointee.next].takeRetainedValue()
      state.pointee.next += 1
      observer.runQueued(in: self)
    }
    state.pointee.queue.removeAll(keepingCapacity: true)
    state.pointee.next = 0
  }
}

// MARK: The running observer

extension Turn {
  /// The observer whose closure is running: it hears about every read.
  var observer: Unmanaged<Observer>? { state.pointee.observer }

  /// Calls `body` while an observer hears about what it reads.
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

  /// Calls `body`, which changes a root; stops if this thread already does.
  @inline(__always)
  func mutating(_ root: Root, at site: CallSite, _ body: () -> Void) {
    if isMutating { refuseOverlap(with: root, at: site) }
    let outer = state.pointee.mutation
    let mutation = Mutation(root: ObjectIdentifier(root), site: site, outer: outer)
    withUnsafePointer(to: mutation) {
      state.pointee.mutation = $0
      body()
      state.pointee.mutation = outer
    }
  }

  /// Stops a read of a root that this thread is changing: the value may be half written.
  func checkRead(of root: Root) {
    if isMutating { refuseOverlap(with: root, at: nil) }
  }

  @inline(never)
  private func refuseOverlap(with root: Root, at site: CallSite?) {
    var next = state.pointee.mutation
    while let mutation = next {
      if mutation.pointee.root == ObjectIdentifier(root) {
        reportOverlap(of: site, with: mutation.pointee.site)
      }
      next = mutation.pointee.outer
    }
  }
}

private func reportOverlap(of site: CallSite?, with outer: CallSite) -> Never {
  let inner: UTF8Text = if let site { "A withLock at \(site.text)" } else { "A read" }
  SharingIssue(
    """
    \(inner) is nested in the withLock of the same value at \(outer.text). Use the value that the \
    outer closure was given.
    """, at: site ?? outer
  ).stop()
}
