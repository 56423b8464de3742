/// One element of another reference's collection: the one at a position, or the one with an id.
@usableFromInline
final class ElementReference<Elements>: DetachableReference<Elements.Element>, @unchecked Sendable
where Elements: RandomAccessCollection & MutableCollection {
  /// Finds the element: its index in the collection, and another name for it where that is known.
  /// It is given the place where the element was last.
  @usableFromInline
  typealias Locator = (_ elements: Elements, _ hint: Elements.Index) -> (
    index: Elements.Index, alias: Part?
  )?

  private let locate: Locator
  /// Where the element was at the last access; as the alias, guarded by the root's lock.
  private var hint: Elements.Index
  private var lastAlias: Part?

  @usableFromInline
  init(
    _ part: Part, of base: Reference, at index: Elements.Index, element: Elements.Element,
    locate: @escaping Locator
  ) {
    hint = index
    self.locate = locate
    super.init(part: part, of: base, last: element)
  }

  @usableFromInline
  override var alias: Part? { lastAlias }

  @usableFromInline
  override func rederived(from base: Reference) -> Reference? {
    let elements: Elements = base.value()
    guard let (index, _) = locate(elements, hint) else { return nil }
    return ElementReference(part, of: base, at: index, element: elements[index], locate: locate)
  }

  @usableFromInline
  override func withPart(
    _ access: Access, _ body: (UnsafeMutablePointer<Elements.Element>?) -> Void
  ) {
    base!.withAddress(access) { address in
      let elements = address.assumingMemoryBound(to: Elements.self)
      guard let (index, alias) = locate(elements.pointee, hint) else { return body(nil) }
      hint = index
      lastAlias = alias
      switch access {
      case .changing: withUnsafeMutablePointer(to: &elements.pointee[index], body)
      case .reading:
        var element = elements.pointee[index]
        withUnsafeMutablePointer(to: &element, body)
      }
    }
  }
}
