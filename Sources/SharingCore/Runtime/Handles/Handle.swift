/// Points to the reference of a wrapper and its copies. Re-pointing one re-points all (rule R2).
///
/// Reads and changes are not generic: they pass addresses. A user's module contains only the copy
/// of the value or the closure, which the compiler specializes.
@usableFromInline
class Handle: @unchecked Sendable {
  final let lock = Lock()
  /// Counts re-pointings, so that an observer can detect one.
  final private(set) var generation: UInt32 = 0
  /// The reference, nil for a handle that follows another one. Retained here, so that a read, which
  /// the lock protects, need not count references.
  final private(set) var current: Unmanaged<Reference>?
  /// Whether it was made while an observer runs, to derive a part or to read a status. Most such
  /// handles are freed when the run ends.
  let isMadeInRun: Bool

  init(_ reference: Reference?) {
    current = reference.map { .passRetained($0) }
    isMadeInRun = Scheduler.current.thread.pointee.observer != nil
  }

  deinit {
    current?.release()
  }

  /// The handle that this one follows until it is pointed elsewhere itself.
  var followed: Handle? { nil }

  /// The current reference, to derive from. The running observer depends on it.
  @usableFromInline
  final var reference: Reference {
    guard let observer = Scheduler.current.thread.pointee.observer?.takeUnretainedValue(),
      let recordedHandle
    else {
      return resolved.target
    }
    let (target, generation) = recordedHandle.resolved
    observer.record(.location, target, through: recordedHandle, generation)
    return target
  }

  /// The current reference and its generation: of this handle, or of the one that it follows.
  final var resolved: (target: Reference, generation: UInt32) {
    let own = lock.withLock { (target: current?.takeUnretainedValue(), generation: generation) }
    if let target = own.target { return (target, own.generation) }
    let outer = followed!.resolved
    return (outer.target, outer.generation &+ own.generation)
  }

  /// The handle that a dependency names: this one, or, if an observer's run has made it, the one
  /// that it follows; nil if there is none.
  final var recordedHandle: Handle? {
    guard isMadeInRun else { return self }
    return lock.withLock { current == nil } ? followed!.recordedHandle : nil
  }

  /// Points all wrappers of this handle at another value and marks the observers of reads through
  /// it stale.
  final func point(at reference: Reference) {
    let cell: Cell = resolved.target.cell
    cell.willChange()
    let scheduler = Scheduler.current
    scheduler.begin()
    let former = repoint(to: reference)
    cell.didChange()
    graphLock.withLock {
      // No dependency names a handle of a run, so they can be anywhere in the tree.
      let node = isMadeInRun ? former.cell.tree?.takeUnretainedValue() : former.existingNode()
      node?.markRepointedStale(through: self, in: scheduler)
    }
    scheduler.end()
  }

  /// - Returns: The former reference, exact even if other threads re-point the handle.
  private final func repoint(to reference: Reference) -> Reference {
    let old = lock.withLock {
      let old = current
      current = .passRetained(reference)
      // Greater than any generation that it had while it followed another handle.
      generation = (old == nil ? 1 << 31 : generation) &+ 1
      return old
    }
    return old?.takeRetainedValue() ?? followed!.resolved.target
  }

  /// Returns whether the handle still points there. If so, a later re-pointing finds the observers
  /// that read through it.
  final func stillPoints(at target: Reference, _ generation: UInt32) -> Bool {
    let now = resolved
    return now.target === target && now.generation == generation
  }
}

/// A handle that follows another one until it is pointed elsewhere itself.
final class FollowingHandle: Handle, @unchecked Sendable {
  private let base: Handle

  init(_ base: Handle) {
    self.base = base
    super.init(nil)
  }

  override var followed: Handle? { base }
}
