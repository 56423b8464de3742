/// A part that can be removed: an element, the value of an optional.
///
/// While the part is gone, the reference keeps the last value that it read. Reads and writes then
/// use only this copy (rule R3).
@usableFromInline
class DetachableReference<Value>: DerivedReference, @unchecked Sendable {
  /// The last value. Guarded by the cell's lock, or by the own lock if the base is computed, like
  /// all mutable state here. It is nil while the part itself is changed, so that the part's
  /// contents have one owner and are changed in place.
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

  /// Calls `body` once with the address of the base's value, with exclusive access to this
  /// reference.
  /// - Parameter body: Stores the replaced value in `former`, which is freed after the lock is
  ///   released: that may run foreign code.
  final func withBase(
    _ access: Access, _ body: (_ base: UnsafeMutableRawPointer, _ former: inout Value?) -> Void
  ) {
    var former: Value?
    base.withAddress(access) { address in
      if needsLock { lock.withLock { body(address, &former) } } else { body(address, &former) }
    }
  }

  /// Calls `body` with the address of the part, and then keeps a copy of its value.
  final func pass(
    _ part: UnsafeMutablePointer<Value>, _ access: Access, _ former: inout Value?,
    to body: (UnsafeMutableRawPointer) -> Void
  ) {
    isMissing = false
    // Freed now for a change, so that the part's contents have one owner.
    if access == .reading { swap(&former, &last) } else { last = nil }
    body(UnsafeMutableRawPointer(part))
    last = part.pointee
  }

  /// Calls `body` with the address of the last value, because the part is gone.
  final func passLast(to body: (UnsafeMutableRawPointer) -> Void) {
    isMissing = true
    withUnsafeMutablePointer(to: &last!) { body(UnsafeMutableRawPointer($0)) }
  }
}

/// The value of another reference's optional.
final class OptionalReference<Wrapped>: DetachableReference<Wrapped>, @unchecked Sendable {
  private init(_ value: Wrapped, of base: Reference) {
    super.init(part: .wrapped, of: base, last: value)
  }

  /// Not a failable initializer: in Embedded Swift for wasm, one that fails leaks the object.
  static func value(of base: Reference) -> OptionalReference? {
    let value: Wrapped? = base.value()
    return value.map { OptionalReference($0, of: base) }
  }

  /// Returns the value of a handle's optional. The running observer depends on its presence.
  static func value(in handle: Handle) -> OptionalReference? {
    handle.find { value(of: $0) }
  }

  override func rederived(from base: Reference) -> Reference? {
    Self.value(of: base)
  }

  override func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    withBase(access) { base, former in
      let optional = base.assumingMemoryBound(to: Wrapped?.self)
      guard optional.pointee != nil else { return passLast(to: body) }
      withUnsafeMutablePointer(to: &optional.pointee!) { pass($0, access, &former, to: body) }
    }
  }
}
