/// What a wrapper and its copies point to, so that re-pointing one re-points them all (rule R2).
///
/// Reading and changing are not generic: they hand out addresses. So what stands in a user's module
/// is just the copy of the value, or the closure, and the compiler specializes that.
@usableFromInline
class Handle: @unchecked Sendable {
  final let lock = Lock()
  /// Counts where the handle has pointed, so that an observer can tell whether it still points
  /// there.
  @exclusivity(unchecked)
  final private(set) var generation: UInt32 = 0
  /// Where the handle points; nil for one that follows another. Retained here, so that a read,
  /// which the lock protects, need not count references.
  @exclusivity(unchecked)
  final private(set) var current: Unmanaged<Reference>?
  /// Whether it was made while an observer runs, to derive a part or to read a status: mostly it is
  /// freed with the end of the run.
  let isTransient: Bool
  @exclusivity(unchecked)
  private var watchers = HandleWatch()

  init(_ reference: Reference?) {
    current = reference.map { .passRetained($0) }
    isTransient = Scheduler.current.thread.pointee.observer != nil
  }

  deinit {
    watchers.handleGoes(self)
    current?.release()
  }

  /// The handle that this one follows until it is pointed elsewhere itself.
  var followed: Handle? { nil }

  /// Calls back when the handle is pointed elsewhere and when it is freed, without keeping it.
  final func watch(_ body: (inout HandleWatch) -> Void) {
    lock.withLock { body(&watchers) }
  }

  /// Whether the handle was made for a whole value, and not for a part or to follow another handle.
  final var isOfWholeValue: Bool {
    lock.withLock { current?._withUnsafeGuaranteedRef { $0.derived == nil } ?? false }
  }

  /// Where the value lives now, to derive from. The observer that is running comes to depend on
  /// where that is.
  @usableFromInline
  final var reference: Reference {
    guard let observer = Scheduler.current.thread.pointee.observer?.takeUnretainedValue(),
      let durable
    else {
      return located.target
    }
    let (target, generation) = durable.located
    observer.record(.location, target, through: durable, generation)
    return target
  }

  /// Where the handle points, and its generation.
  final var located: (target: Reference, generation: UInt32) {
    let own = lock.withLock { (target: current?.takeUnretainedValue(), generation: generation) }
    if let target = own.target { return (target, own.generation) }
    let outer = followed!.located
    return (outer.target, outer.generation &+ own.generation)
  }

  /// The handle itself, or the one that it follows, unless it is transient.
  final var durable: Handle? {
    guard isTransient else { return self }
    return lock.withLock { current == nil } ? followed!.durable : nil
  }

  /// Points all wrappers of this handle at another value, and marks stale who has read through it.
  final func point(at reference: Reference) {
    let cell: Cell = located.target.cell
    cell.observation.willChange(cell)
    let scheduler = Scheduler.current
    scheduler.begin()
    let (former, watchers) = repoint(to: reference)
    watchers.handleMoved(self)
    scheduler.keep(former)
    cell.observation.didChange(cell)
    graphLock.withLock {
      // Dependencies do not name a transient handle, so they can be anywhere in the tree.
      let node = isTransient ? former.cell.tree?.takeUnretainedValue() : former.existingNode()
      node?.markRepointedStale(through: self, in: scheduler)
    }
    scheduler.end()
  }

  /// - Returns: Where the handle has pointed until now, whatever other threads do meanwhile, and
  ///   who wants to know.
  private final func repoint(to reference: Reference) -> (former: Reference, HandleWatch) {
    let (old, watchers) = lock.withLock {
      let old = current
      current = .passRetained(reference)
      // Not a generation that it had while it followed another handle, whatever that was.
      generation = (old == nil ? 1 << 31 : generation) &+ 1
      return (old, self.watchers)
    }
    return (old?.takeRetainedValue() ?? followed!.located.target, watchers)
  }

  /// Whether the handle still points there: a re-pointing from now on finds who has read through
  /// it.
  final func stillPoints(at target: Reference, _ generation: UInt32) -> Bool {
    let now = located
    return now.target === target && now.generation == generation
  }
}
