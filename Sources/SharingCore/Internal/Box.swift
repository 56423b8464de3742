/// What a wrapper and its copies point to, so that re-pointing one re-points them all (rule R2).
///
/// Reading and changing are not generic: they hand out addresses. So what stands in a user's module
/// is just the copy of the value, or the closure, and the compiler specializes that.
@usableFromInline
class Box: @unchecked Sendable {
  private let lock = Lock()
  /// Counts where the box has pointed, so that an observer can tell whether it still points there.
  @exclusivity(unchecked)
  private var direction: UInt32 = 0
  /// Where the box points; nil for one that follows another. Retained here, so that a read, which the
  /// lock protects, need not count references.
  @exclusivity(unchecked)
  private var current: Unmanaged<Reference>?
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
  private final var located: (target: Reference, direction: UInt32) {
    let own = lock.withLock { (target: current?.takeUnretainedValue(), direction: direction) }
    if let target = own.target { return (target, own.direction) }
    let outer = followed!.located
    return (outer.target, outer.direction &+ own.direction)
  }

  /// The box itself, or the one that it follows, unless it was made in passing.
  private final var durable: Box? {
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

// MARK: Reading

extension Box {
  /// The value, whose type the wrapper knows. The observer that is running comes to depend on it.
  @inlinable
  final func value<Value>() -> Value {
    if let address = beginRead() {
      let value = address.assumingMemoryBound(to: Value.self).pointee
      endRead()
      return value
    }
    var value: Value?
    read { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }

  /// Begins to read a value that stays at one address and that nobody is changing, if the running
  /// observer has read it in its last run, too: then no reference need be counted.
  /// - Returns: The address of the value, valid until ``endRead()``; nil where ``read(_:)`` is the way.
  @usableFromInline
  final func beginRead() -> UnsafeMutableRawPointer? {
    let turn = Turn.current
    if turn.isMutating { return nil }
    lock.lock()
    let address = current?._withUnsafeGuaranteedRef { target in
      target.address.flatMap { address in
        target.withRoot { beginRead(of: $0, in: turn) } ? address : nil
      }
    }
    if address == nil { lock.unlock() }
    return address
  }

  /// The box's lock is held.
  @inline(__always)
  private final func beginRead(of root: Root, in turn: Turn) -> Bool {
    root.observation.didRead(root, in: turn)
    guard root.lock.lockIfFree() else { return false }
    let isKnown = isKnown(to: turn)
    if !isKnown { root.lock.unlock() }
    return isKnown
  }

  /// Ends to read the value.
  @usableFromInline
  final func endRead() {
    current?._withUnsafeGuaranteedRef { $0.withRoot { $0.lock.unlock() } }
    lock.unlock()
  }

  /// Whether nobody has to note that the value is read: no observer is running, or the one that is has
  /// read it here in its last run. The box's lock is held.
  @inline(__always)
  private final func isKnown(to turn: Turn) -> Bool {
    guard let observer = turn.observer else { return true }
    return observer._withUnsafeGuaranteedRef { $0.confirm(.value, through: self, direction) }
  }

  /// Calls `body` once with the address of the value, valid during the call. The observer that is
  /// running comes to depend on the value.
  @usableFromInline
  @inline(never)
  final func read(_ body: (UnsafeMutableRawPointer) -> Void) {
    let turn = Turn.current
    let (target, direction) = (durable ?? self).located
    let root: Root = target.root
    root.observation.didRead(root, in: turn)
    turn.checkRead(of: root)
    guard let observer = turn.observer?.takeUnretainedValue() else {
      return target.withAddress(.reading, body)
    }
    // Before the value is read: a change on another thread from now on wakes the observer.
    let place = observer.record(.value, target, through: durable, direction)
    var changeCheck: (() -> Bool)?
    target.withAddress(.reading) { address in
      body(address)
      changeCheck = target.changeCheck(since: address)
    }
    observer.note(changeCheck, at: place)
  }
}

// MARK: Changing

extension Box {
  /// Begins to change the value, if it stays at one address, as most do.
  /// - Parameter access: What ``endChange(_:)`` takes.
  /// - Returns: The address of the value; nil where ``change(fileID:line:_:)`` is the way.
  @usableFromInline
  final func beginChange(
    _ access: UnsafeMutablePointer<ChangeAccess>, fileID: StaticString, line: UInt
  ) -> UnsafeMutableRawPointer? {
    guard let target = lock.withLock({ current?.hold() }) else { return nil }
    guard let address = target._withUnsafeGuaranteedRef({ $0.address }) else {
      target.letGo()
      return nil
    }
    let turn = Turn.current
    turn.begin()
    let mutation = Mutation(site: CallSite(fileID: fileID, line: line))
    access.initialize(to: ChangeAccess(target: target, mutation: mutation))
    target._withUnsafeGuaranteedRef { part in
      part.withRoot { $0.beginChange(of: part, &access.pointee.mutation, in: turn) }
    }
    return address
  }

  /// Ends to change the value: wakes who observes it, and has it saved when the turn ends.
  @usableFromInline
  final func endChange(_ access: UnsafeMutablePointer<ChangeAccess>) {
    let turn = Turn.current
    let target = access.pointee.target
    target._withUnsafeGuaranteedRef { part in
      part.withRoot { $0.endChange(of: part, in: turn) }
    }
    target.letGo()
    turn.end()
  }

  /// Calls `body` once with the address of the value, which it may change, between what
  /// ``beginChange(_:fileID:line:)`` and ``endChange(_:)`` do.
  @usableFromInline
  final func change(
    fileID: StaticString, line: UInt, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    change(fileID: fileID, line: line) { address, _ in
      body(address)
      return nil
    }
  }

  /// The same, where `body` is given the reference, too, and says which element has come or gone; nil
  /// where anything may have changed.
  @usableFromInline
  final func change(
    fileID: StaticString, line: UInt,
    _ body: (UnsafeMutableRawPointer, _ target: Reference) -> ElementEdit?
  ) {
    let turn = Turn.current
    turn.begin()
    let target = located.target
    let root = target.root
    var mutation = Mutation(site: CallSite(fileID: fileID, line: line))
    withUnsafeMutablePointer(to: &mutation) {
      var edit: ElementEdit?
      root.beginChange(of: target, $0, in: turn)
      target.withAddress(.changing) { edit = body($0, target) }
      root.endChange(of: edit ?? target, in: turn)
    }
    turn.end()
  }
}

/// A change under way of a value that stays at one address.
@usableFromInline
struct ChangeAccess {
  fileprivate let target: Unmanaged<Reference>
  fileprivate var mutation: Mutation
}

/// A box that points where another one points, until it is pointed elsewhere itself.
final class FollowingBox: Box, @unchecked Sendable {
  private let base: Box

  init(_ base: Box) {
    self.base = base
    super.init(nil)
  }

  override var followed: Box? { base }
}
