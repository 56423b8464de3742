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

  @usableFromInline
  override final func withAddress(
    _ access: Access, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    // What was seen before goes when the lock is free: foreign code may run then. For a change it
    // goes at once, so that what is in the part has one owner.
    var former: Value?
    withPart(access) { part in
      isMissing = part == nil
      if let part {
        if access == .reading { swap(&former, &last) } else { last = nil }
        body(UnsafeMutableRawPointer(part))
        last = part.pointee
      } else {
        withUnsafeMutablePointer(to: &last!) { body(UnsafeMutableRawPointer($0)) }
      }
    }
  }

  override final var isDetached: Bool { isMissing || super.isDetached }

  /// Calls `body` once with the address of the base's value while nobody else is in here.
  final func withBase(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    base.withAddress(access) { address in
      if needsLock { lock.withLock { body(address) } } else { body(address) }
    }
  }

  /// Calls `body` once with the part's address, valid during the call, or with nil when it is gone.
  @usableFromInline
  func withPart(_ access: Access, _ body: (UnsafeMutablePointer<Value>?) -> Void) {
    fatalError("withPart is overridden")
  }
}
