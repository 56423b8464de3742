/// What a wrapper and its copies point to, so that re-pointing one re-points them all (rule R2).
///
/// Reading and changing are not generic: they hand out addresses. So what stands in a user's module
/// is just the copy of the value, or the closure, and the compiler specializes that.
@usableFromInline
class Box: @unchecked Sendable {
  final let lock = Lock()
  /// Counts where the box has pointed, so that an observer can tell whether it still points there.
  @exclusivity(unchecked)
  final private(set) var direction: UInt32 = 0
  /// Where the box points; nil for one that follows another. Retained here, so that a read, which the
  /// lock protects, need not count references.
  @exclusivity(unchecked)
  final private(set) var current: Unmanaged<Reference>?
  /// Made while an observer runs, to derive a part or to read a status: mostly it is gone with the run.
  let isTransient: Bool
  @exclusivity(unchecked)
  private var watchers = BoxWatch()

  init(_ reference: Reference?) {
    current = reference.map { .passRetained($0) }
    isTransient = Turn.current.observer != nil
  }

  deinit {
    watchers.boxGoes(self)
    current?.release()
  }

  /// The box that this one follows until it is pointed elsewhere itself.
  var followed: Box? { nil }

  /// Has somebody told when the box is pointed elsewhere and when it goes, without keeping it.
  final func watch(_ body: (inout BoxWatch) -> Void) {
    lock.withLock { body(&watchers) }
  }

  /// Whether the box was made for a whole value, and not for a part or to follow another box.
  final var isOfWholeValue: Bool {
    lock.withLock { current?._withUnsafeGuaranteedRef { $0.derived == nil } ?? false }
  }

  /// Where the value lives now, to derive from. The observer that is running comes to depend on where
  /// that is.
  @usableFromInline
  final var reference: Reference {
    guard let observer = Turn.current.observer?.takeUnretainedValue(), let durable else {
      return located.target
    }
    let (target, direction) = durable.located
    observer.record(.direction, target, through: durable, direction)
    return target
  }

  /// Where the box points, and the number of that direction.
  final var located: (target: Reference, direction: UInt32) {
    let own = lock.withLock { (target: current?.takeUnretainedValue(), direction: direction) }
    if let target = own.target { return (target, own.direction) }
    let outer = followed!.located
    return (outer.target, outer.direction &+ own.direction)
  }

  /// The box itself, or the one that it follows, unless it was made in passing.
  final var durable: Box? {
    guard isTransient else { return self }
    return lock.withLock { current == nil } ? followed!.durable : nil
  }

  /// Points all wrappers of this box at another value, and wakes who has come through it.
  final func point(at reference: Reference) {
    let root: Root = located.target.root
    root.observation.willChange(root)
    let turn = Turn.current
    turn.begin()
    let (former, watchers) = turnAway(to: reference)
    watchers.boxMoved(self)
    turn.keep(former)
    root.observation.didChange(root)
    graphLock.withLock {
      // What was read through a box made in passing does not name it, and can be anywhere.
      let node = isTransient ? former.root.tree?.takeUnretainedValue() : former.existingNode()
      node?.wakeComers(through: self, in: turn)
    }
    turn.end()
  }

  /// - Returns: Where the box has pointed until now, whatever other threads do meanwhile, and who wants
  ///   to know.
  private final func turnAway(to reference: Reference) -> (former: Reference, BoxWatch) {
    let (old, watchers) = lock.withLock {
      let old = current
      current = .passRetained(reference)
      // Not a number that the box has had, or another thread gives it, while it follows another one.
      direction = (old == nil ? 1 << 31 : direction) &+ 1
      return (old, self.watchers)
    }
    return (old?.takeRetainedValue() ?? followed!.located.target, watchers)
  }

  /// Whether the box points where it did when that was asked for, and a re-pointing from now on finds
  /// who has come through it.
  final func stillPoints(at target: Reference, _ direction: UInt32) -> Bool {
    let now = located
    return now.target === target && now.direction == direction
  }
}
