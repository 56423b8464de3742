/// One element of another reference's collection, by position or by id.
@usableFromInline
final class ElementReference<Elements>: DetachableReference<Elements.Element>, @unchecked Sendable
where Elements: RandomAccessCollection & MutableCollection {
  /// Returns the element's current offset from the start. The hint is its last offset.
  @usableFromInline
  typealias Locator = (_ elements: Elements, _ hint: Int) -> Int?

  private let locate: Locator
  private let elementIDHash: IDHash?
  /// The element's offset when the reference was made.
  @usableFromInline
  let firstOffset: Int
  /// The element's offset at the last access. Guarded like the state of the superclass.
  private var offset: Int
  private var isRenamed = false

  @usableFromInline
  init(
    _ part: PathComponent, of base: Reference, _ element: Elements.Element, at offset: Int,
    idHash: IDHash? = nil, locate: @escaping Locator
  ) {
    self.offset = offset
    firstOffset = offset
    elementIDHash = idHash
    self.locate = locate
    super.init(part: part, of: base, last: element)
  }

  @usableFromInline
  override var alias: PathComponent? { part.isID && !isDetached ? .position(offset) : nil }

  @usableFromInline
  override var idHash: IDHash? { elementIDHash }

  @usableFromInline
  override var hasOtherID: Bool { isRenamed }

  override func markOthersStale(in node: ObserverNode, _ scheduler: Scheduler) {
    node.markOthersStale(than: part, alias: alias, hasOtherID: isRenamed, in: scheduler)
  }

  override func record(in changes: inout ElementChanges) { changes.insert(offset) }

  @usableFromInline
  override func rederived(from base: Reference) -> Reference? {
    let elements: Elements = base.value()
    guard let found = locate(elements, 0) else { return nil }
    let element = elements[elements.index(at: found)]
    return ElementReference(
      part, of: base, element, at: found, idHash: elementIDHash, locate: locate)
  }

  @usableFromInline
  override func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    withBase(access) { base, former in
      let elements = base.assumingMemoryBound(to: Elements.self)
      guard let found = locate(elements.pointee, offset) else { return passLast(to: body) }
      offset = found
      let index = elements.pointee.index(at: found)
      switch access {
      case .changing:
        withUnsafeMutablePointer(to: &elements.pointee[index]) {
          pass($0, access, &former, to: body)
        }
        // Only for observers: a change without any has 0.86 of the instructions in wasm.
        isRenamed =
          part.isID && withCell { $0.isObserved } && locate(elements.pointee, found) != found
      case .reading:
        var element = elements.pointee[index]
        withUnsafeMutablePointer(to: &element) { pass($0, access, &former, to: body) }
      }
    }
  }
}

/// The identity of the element at an offset, for observers that have read no more of it.
@usableFromInline
final class ElementIdentity: DerivedReference, @unchecked Sendable {
  private let elementIDHash: IDHash?

  @usableFromInline
  init(_ offset: Int, of base: Reference, idHash: IDHash?) {
    elementIDHash = idHash
    super.init(.identity(offset), of: base)
  }

  @usableFromInline
  override var idHash: IDHash? { elementIDHash }
}

/// An element that was just added to a collection, removed, or replaced from outside. Observers and
/// keys receive it instead of a change of the whole collection.
@usableFromInline
final class ElementEdit: DerivedReference, @unchecked Sendable {
  private let otherName: PathComponent?
  private let isOther: Bool

  @usableFromInline
  init(
    _ part: PathComponent, alias: PathComponent?, of base: Reference, hasOtherID: Bool = false
  ) {
    otherName = alias
    isOther = hasOtherID
    super.init(part, of: base)
  }

  @usableFromInline
  override var hasOtherID: Bool { isOther }

  @usableFromInline
  override var alias: PathComponent? { otherName }

  override func markOthersStale(in node: ObserverNode, _ scheduler: Scheduler) {
    if let position = part.removedPosition {
      node.markChildrenStale(in: scheduler) {
        $0.mayDiffer(afterRemovalAt: position, alias: otherName)
      }
    } else {
      node.markOthersStale(than: part, alias: otherName, hasOtherID: isOther, in: scheduler)
    }
  }

  override func record(in changes: inout ElementChanges) {
    if let position = part.position { changes.insert(position) }
    if let position = part.removedPosition { changes.remove(position) }
  }
}
