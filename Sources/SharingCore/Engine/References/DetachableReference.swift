/// A part that can go away: an element, the value of an optional.
///
/// While the part is gone, the reference keeps the value that it has seen last; it reads that, and
/// what is written goes there and nowhere else (rule R3).
@usableFromInline
class DetachableReference<Value>: DerivedReference, @unchecked Sendable {
  /// Guarded by the cell's lock, or by the own one where the base is computed, as all that changes
  /// here. It is released while the part itself is changed, so that what is in it has one owner
  /// and is changed in place.
  private var last: Value?
  private var isMissing = false
  private let lock = Lock()
  private let needsLock: Bool

  @usableFromInline
  init(part: PathComponent, of base: Reference, last: Value) {
    self.last = last
    needsLock = base.isComputed
    super.init(part, of: base)
  }

  override final var isDetached: Bool { isMissing || super.isDetached }

  /// Calls `body` once with the address of the base's value while nobody else is in here.
  /// - Parameter body: What it leaves in `former` ends when the lock is free: foreign code may run
  ///   then.
  final func withBase(
    _ access: Access, _ body: (_ base: UnsafeMutableRawPointer, _ former: inout Value?) -> Void
  ) {
    var former: Value?
    base.withAddress(access) { address in
      if needsLock { lock.withLock { body(address, &former) } } else { body(address, &former) }
    }
  }

  /// Calls `body` with the address of the part, and keeps the value that is there afterwards.
  final func pass(
    _ part: UnsafeMutablePointer<Value>, _ access: Access, _ former: inout Value?,
    to body: (UnsafeMutableRawPointer) -> Void
  ) {
    isMissing = false
    // For a change it goes at once, so that what is in the part has one owner.
    if access == .reading { swap(&former, &last) } else { last = nil }
    body(UnsafeMutableRawPointer(part))
    last = part.pointee
  }

  /// Calls `body` with the address of the value that was seen last: the part is gone.
  final func passLast(to body: (UnsafeMutableRawPointer) -> Void) {
    isMissing = true
    withUnsafeMutablePointer(to: &last!) { body(UnsafeMutableRawPointer($0)) }
  }
}
