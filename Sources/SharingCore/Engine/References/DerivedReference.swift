/// A part of another reference's value.
@usableFromInline
class DerivedReference: Reference, @unchecked Sendable {
  /// What it is derived from.
  final let base: Reference
  /// Which part of the base's value it is.
  final let part: PathComponent

  init(_ part: PathComponent, of base: Reference, address: UnsafeMutableRawPointer? = nil) {
    self.base = base
    self.part = part
    super.init(address: address, cell: base.cell)
  }

  /// Tells the id of an element of the base, of a part that is known by such an id.
  @usableFromInline
  var idHash: IDHash? { nil }

  /// Whether the part was gone at the last access: what was written is in no value of the cell's.
  /// The cell's lock is held.
  var isDetached: Bool { base.derived?.isDetached ?? false }
}
