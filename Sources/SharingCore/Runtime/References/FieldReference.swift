/// A stored property of another reference's value, at any depth: a range of its bytes.
final class FieldReference: DerivedReference, @unchecked Sendable {
  private let offset: Int

  /// Creates a reference to a property.
  /// - Parameter bytes: The byte range of the property in the value of `base`.
  init(_ bytes: Range<Int>, of base: Reference) {
    let address = base.address.map { $0 + bytes.lowerBound }
    // A property of a property is a narrower range of the same value. So paths stay one step long,
    // and overlap is a comparison of ranges.
    if let field = base as? FieldReference {
      offset = field.offset + bytes.lowerBound
      super.init(.bytes(offset..<offset + bytes.count), of: field.base, address: address)
    } else {
      offset = bytes.lowerBound
      super.init(.bytes(bytes), of: base, address: address)
    }
  }

  private init(_ field: FieldReference, of base: Reference) {
    offset = field.offset
    super.init(field.part, of: base, address: base.address.map { $0 + field.offset })
  }

  override func rederived(from base: Reference) -> Reference? { FieldReference(self, of: base) }

  override func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    base.withAddress(access) { body($0 + offset) }
  }
}
