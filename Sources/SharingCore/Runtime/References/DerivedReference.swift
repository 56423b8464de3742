/// A part of another reference's value.
@usableFromInline
class DerivedReference: Reference, @unchecked Sendable {
  /// The reference that it is derived from.
  final let base: Reference
  /// The part of the base's value.
  final let part: PathComponent

  init(_ part: PathComponent, of base: Reference, address: UnsafeMutableRawPointer? = nil) {
    self.base = base
    self.part = part
    super.init(address: address, cell: base.cell)
  }

  /// Returns the hash of the id of an element of the base, if the part is an element by its id.
  @usableFromInline
  var idHash: IDHash? { nil }

  /// Another name of the same part, found by the last access: the position of an element by its id.
  /// Nil if there is none or it is unknown. The cell's lock guards it.
  @usableFromInline
  var alias: PathComponent? { nil }

  /// Whether the last change gave the part, an element by its id, another id. The cell's lock is
  /// held.
  @usableFromInline
  var hasOtherID: Bool { false }

  /// Marks the observers of the other parts of the base stale that a change of this part affects.
  /// The cell's lock and the graph lock are held.
  /// - Parameter node: The node of the base.
  func markOthersStale(in node: ObserverNode, _ scheduler: Scheduler) {
    node.markChildrenStale(in: scheduler) { $0 != part && $0.overlaps(part) }
  }

  /// Adds a change of the part to the changes of the base's elements. The cell's lock is held.
  func record(in changes: inout ElementChanges) { changes = .anything }

  /// The part of the cell's value that contains this one, or is it.
  final var outermost: DerivedReference { base.derived?.outermost ?? self }

  /// Whether the part was gone at the last access. Then a write changed no value of the cell. The
  /// cell's lock is held.
  var isDetached: Bool { base.derived?.isDetached ?? false }
}

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

/// A value that is computed from another reference's; read-only.
///
/// The closure is foreign code: it runs on a copy of the base's value, under no lock. If the
/// results can be compared, observers run only if the result changed (rule R9).
final class ComputedReference<Value, Output>: DerivedReference, @unchecked Sendable {
  private let compute: (Value) -> Output
  private let areEqual: ((Output, Output) -> Bool)?

  init(
    of base: Reference, areEqual: ((Output, Output) -> Bool)? = nil,
    _ compute: @escaping (Value) -> Output
  ) {
    self.compute = compute
    self.areEqual = areEqual
    super.init(.whole, of: base)
  }

  override func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    var output = output()
    withUnsafeMutablePointer(to: &output) { body(UnsafeMutableRawPointer($0)) }
  }

  override func changeCheck(since value: UnsafeRawPointer) -> (() -> Bool)? {
    guard let areEqual else { return nil }
    let seen = value.assumingMemoryBound(to: Output.self).pointee
    return { !areEqual(seen, self.output()) }
  }

  private func output() -> Output {
    compute(base.value())
  }
}
