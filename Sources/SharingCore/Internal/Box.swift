/// What a wrapper and its copies point to, so that re-pointing one re-points them all (rule R2).
///
/// Reading and changing are not generic: they hand out addresses. So what stands in a user's module
/// is just the copy of the value, or the closure, and the compiler specializes that.
@usableFromInline
final class Box: @unchecked Sendable {
  private let lock = Lock()
  private var current: Reference?
  /// The box that this one follows until it is pointed elsewhere itself.
  private let followed: Box?
  /// Who observes where the box points; guarded by the graph lock.
  private var node: PathNode?
  /// Made while an observer runs, to derive a part or to read a status: nobody points it elsewhere.
  private let isTransient: Bool

  init(_ reference: Reference) {
    current = reference
    followed = nil
    isTransient = Turn.current.observer != nil
  }

  /// A box that points where another one points.
  init(following box: Box) {
    followed = box
    isTransient = Turn.current.observer != nil
  }

  /// Where the value lives now. The observer that is running comes to depend on where that is.
  @usableFromInline
  var reference: Reference {
    if let observer = Turn.current.observer, !isTransient { observer.record(self) }
    return lock.withLock { current } ?? followed!.reference
  }

  /// The same, without anyone noticing.
  private var target: Reference {
    lock.withLock { current } ?? followed!.target
  }

  /// Points all wrappers of this box at another value, and wakes who has come through it.
  func point(at reference: Reference) {
    let former: Root = target.root
    former.observation.willChange(former)
    let old = lock.withLock {
      let old = current
      current = reference
      return old
    }
    former.observation.didChange(former)
    let turn = Turn.current
    turn.begin()
    graphLock.withLock { node?.wakeObservers(in: turn) }
    turn.end()
    _ = old  // let go of outside the lock
  }

  /// Calls `body` once with the address of the value, valid during the call. The observer that is
  /// running comes to depend on the value.
  @usableFromInline
  func read(_ body: (UnsafeMutableRawPointer) -> Void) {
    let turn = Turn.current
    let reference = reference
    let root: Root = reference.root
    root.observation.didRead(root)
    turn.checkRead(of: root)
    guard let observer = turn.observer else { return reference.withAddress(.reading, body) }
    // Before the value is read: a change on another thread from now on wakes the observer.
    let dependency = observer.record(reference)
    var changeCheck: (() -> Bool)?
    reference.withAddress(.reading) { address in
      body(address)
      changeCheck = reference.changeCheck(since: address)
    }
    observer.note(changeCheck, for: dependency)
  }

  /// Calls `body` once with the address of the value, which it may change; wakes who observes it, and
  /// has it saved when the turn ends.
  @usableFromInline
  func change(
    fileID: StaticString, line: UInt, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    let turn = Turn.current
    turn.begin()
    let reference = target
    let root: Root = reference.root
    root.persistence?.refresh()
    root.change(reference, at: CallSite(fileID: fileID, line: line), in: turn, body)
    turn.end()
  }

  /// The node that stands for where this box points. The graph lock is held.
  func observedNode() -> PathNode {
    if let node { return node }
    let made = PathNode(.whole, of: nil)
    node = made
    return made
  }

  /// Whether a node is the one that stands for where this box points.
  func isNode(_ other: PathNode) -> Bool {
    node === other
  }
}
