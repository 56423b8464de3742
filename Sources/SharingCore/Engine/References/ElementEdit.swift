/// An element that has just come to a collection, or has just left it: what observers and keys are
/// told of instead of the whole collection.
@usableFromInline
final class ElementEdit: DerivedReference, @unchecked Sendable {
  private let otherName: PathComponent?

  @usableFromInline
  init(_ part: PathComponent, alias: PathComponent?, of base: Reference) {
    otherName = alias
    super.init(part, of: base)
  }

  @usableFromInline
  override var alias: PathComponent? { otherName }
}
