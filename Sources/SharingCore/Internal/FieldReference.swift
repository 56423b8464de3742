/// A stored property of another reference's value, at any depth: a range of its bytes.
final class FieldReference: Reference, @unchecked Sendable {
  private let offset: Int

  /// - Parameter bytes: Where the property lies in the value of `base`.
  init(_ bytes: Range<Int>, of base: Reference) {
    // A property of a property is a narrower range of the same value: paths stay one step long, and
    // overlap is a comparison of ranges.
    if let field = base as? FieldReference, let outer = field.base {
      offset = field.offset + bytes.lowerBound
      super.init(part: .bytes(offset..<offset + bytes.count), of: outer)
    } else {
      offset = bytes.lowerBound
      super.init(part: .bytes(bytes), of: base)
    }
  }

  private init(_ field: FieldReference, of base: Reference) {
    offset = field.offset
    super.init(part: field.part, of: base)
  }

  override func rederived(from base: Reference) -> Reference? { FieldReference(self, of: base) }

  override func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    base!.withAddress(access) { body($0 + offset) }
  }
}
