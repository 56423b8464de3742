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
