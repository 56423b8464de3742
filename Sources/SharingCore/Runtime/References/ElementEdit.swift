/// An element that was just added to a collection or removed. Observers and keys receive it instead
/// of a change of the whole collection.
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
