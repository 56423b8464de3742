/// The value of another reference's optional.
final class OptionalReference<Wrapped>: DetachableReference<Wrapped>, @unchecked Sendable {
  init?(of base: Reference) {
    let value: Wrapped? = base.value()
    guard let value else { return nil }
    super.init(part: .wrapped, of: base, last: value)
  }

  override func rederived(from base: Reference) -> Reference? {
    OptionalReference(of: base)
  }

  override func withPart(_ access: Access, _ body: (UnsafeMutablePointer<Wrapped>?) -> Void) {
    base.withAddress(access) { address in
      let optional = address.assumingMemoryBound(to: Wrapped?.self)
      guard optional.pointee != nil else { return body(nil) }
      withUnsafeMutablePointer(to: &optional.pointee!, body)
    }
  }
}
