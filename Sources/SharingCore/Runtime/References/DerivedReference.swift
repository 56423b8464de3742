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

  /// Whether the part was gone at the last access. Then a write changed no value of the cell. The
  /// cell's lock is held.
  var isDetached: Bool { base.derived?.isDetached ?? false }
}
