/// What a thread has to do before the outermost batch ends: observers to run, values to save.
///
/// Every mutation is a turn of its own unless it happens inside a batch, an observer or another
/// mutation; then it joins the turn that is under way (rule R8).
final class Turn {
  /// Runs of one observer in one turn after which it counts as a loop that never settles.
  static let runLimit = 100

  /// Tells turns apart, on all threads.
  struct Number: Equatable {
    let thread: ObjectIdentifier
    let turn: Int
  }

  /// The observer whose closure is running: it hears about every read.
  var observer: Observer?

  private var depth = 0
  private var count = 0
  private var queue: [Observer] = []
  private var next = 0
  private var unsaved: [Root] = []
  private var mutations: [Mutation] = []

  private struct Mutation {
    let root: ObjectIdentifier
    let site: CallSite
  }

  /// The number of the turn under way.
  var number: Number { Number(thread: ObjectIdentifier(self), turn: count) }

  /// Opens a batch inside this turn; every call needs its ``end()``.
  func begin() {
    depth += 1
  }

  /// Closes a batch; the outermost one settles the turn.
  func end() {
    if depth == 1 {
      if !queue.isEmpty || !unsaved.isEmpty { settle() }
      count &+= 1
    }
    depth -= 1
  }

  /// Runs what is queued, saves what has changed, and goes on until nothing is left.
  private func settle() {
    repeat {
      while next < queue.count {
        let observer = queue[next]
        next += 1
        observer.runQueued(in: self)
      }
      queue.removeAll(keepingCapacity: true)
      next = 0
      let roots = unsaved
      unsaved = []
      for root in roots { root.saveChanges() }
    } while !queue.isEmpty || !unsaved.isEmpty
  }

  /// Has an observer run before the turn ends. The caller has marked it as queued.
  func enqueue(_ observer: Observer) {
    queue.append(observer)
  }

  /// Has a root save itself once when the turn ends.
  func saveLater(_ root: Root) {
    unsaved.append(root)
  }

  /// Calls `body` without the running observer's hearing about what it reads.
  func withoutObserver(_ body: () -> Void) {
    let outer = observer
    observer = nil
    body()
    observer = outer
  }
}

// MARK: Exclusive access

extension Turn {
  /// Notes that this thread is about to change a root, and stops if it already does.
  func beginMutation(of root: Root, at site: CallSite) {
    refuseOverlap(with: root, at: site)
    mutations.append(Mutation(root: ObjectIdentifier(root), site: site))
  }

  func endMutation() {
    mutations.removeLast()
  }

  /// Stops a read of a root that this thread is changing: the value may be half written.
  func checkRead(of root: Root) {
    refuseOverlap(with: root, at: nil)
  }

  private func refuseOverlap(with root: Root, at site: CallSite?) {
    for outer in mutations where outer.root == ObjectIdentifier(root) {
      reportOverlap(of: site, with: outer.site)
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
