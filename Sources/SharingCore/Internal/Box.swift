/// What a wrapper and its copies point to, so that re-pointing one re-points them all (rule R2).
final class Box: @unchecked Sendable {
  private let lock = Lock()
  private var current: Reference

  init(_ reference: Reference) {
    current = reference
  }

  /// Where the value lives now.
  var reference: Reference {
    var reference: Reference?
    lock.withLock { reference = current }
    return reference!
  }

  /// Points all wrappers of this box at another value, and wakes who has read the old one through it.
  func point(at reference: Reference) {
    var old = reference
    lock.withLock { swap(&current, &old) }
    let turn = Turn.current
    turn.begin()
    graphLock.withLock { old.existingNode()?.wakeObservers(through: self, in: turn) }
    turn.end()
  }

  /// The value, which the observer that is running comes to depend on.
  func read<Value>() -> Value {
    let turn = Turn.current
    let reference = reference
    guard let observer = turn.observer else { return reference.value(in: turn) }
    // Before the value is read: a change on another thread from now on wakes the observer.
    let dependency = observer.record(reference, through: self)
    let value: Value = reference.value(in: turn)
    observer.note(
      withUnsafePointer(to: value) { reference.changeCheck(since: $0) }, for: dependency)
    return value
  }
}
