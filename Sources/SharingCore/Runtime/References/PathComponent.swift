/// A part of a value: one step of a path.
@usableFromInline
struct PathComponent: Equatable, Sendable {
  private let kind: Kind
  private let lower: Int
  private let upper: Int

  /// In the order of a node's children.
  private enum Kind: UInt8 { case whole, bytes, wrapped, removed, identity, position, id }

  /// The whole value: the step of a cell, and of a value that is computed from a whole value.
  static let whole = PathComponent(kind: .whole, lower: 0, upper: 0)

  /// The value of an optional.
  static let wrapped = PathComponent(kind: .wrapped, lower: 0, upper: 0)

  /// A stored property as its bytes in the value. A chain of stored properties is one step.
  static func bytes(_ bytes: Range<Int>) -> PathComponent {
    PathComponent(kind: .bytes, lower: bytes.lowerBound, upper: bytes.upperBound)
  }

  /// The element at an offset from the start of a collection.
  @usableFromInline
  static func position(_ position: Int) -> PathComponent {
    PathComponent(kind: .position, lower: position, upper: position)
  }

  /// The identity of the element at an offset, independent of changes in the element.
  @usableFromInline
  static func identity(_ position: Int) -> PathComponent {
    PathComponent(kind: .identity, lower: position, upper: position)
  }

  /// The element that was removed at an offset. It has no observers, but the elements behind it
  /// moved.
  @usableFromInline
  static func removed(_ position: Int) -> PathComponent {
    PathComponent(kind: .removed, lower: position, upper: position)
  }

  /// The element with an id, by the id's hash. If two ids have one hash, a change of one element
  /// also runs the observers of the other, which costs time only.
  @usableFromInline
  static func id(hash: Int) -> PathComponent {
    PathComponent(kind: .id, lower: hash, upper: hash)
  }

  /// Whether this is one element of a collection; its change does not affect the others.
  var isElement: Bool { kind == .position || kind == .id }

  /// The offset of an element by position, nil for other parts.
  var position: Int? { kind == .position ? lower : nil }

  /// The former offset of a removed element, nil for other parts.
  var removedPosition: Int? { kind == .removed ? lower : nil }

  /// Whether this is the identity of the element at an offset.
  var isIdentity: Bool { kind == .identity }

  /// Whether this is an element by its id.
  var isID: Bool { kind == .id }

  /// Returns whether a change of one part affects the other; both are parts of one value.
  func overlaps(_ other: PathComponent) -> Bool {
    guard kind == .bytes, other.kind == .bytes else { return true }
    return self == other || (lower < other.upper && other.lower < upper)
  }

  /// Returns whether this part of a collection may differ after an element was removed.
  /// - Parameters:
  ///   - position: The position of the removed element.
  ///   - alias: Its id, nil if unknown.
  func mayDiffer(afterRemovalAt position: Int, alias: PathComponent?) -> Bool {
    switch kind {
    case .position, .identity: position <= lower
    case .id: alias == nil || alias == self
    case .whole, .bytes, .wrapped, .removed: true
    }
  }

  /// Returns whether the other part lies within this one; both are parts of one value.
  func contains(_ other: PathComponent) -> Bool {
    guard kind == .bytes, other.kind == .bytes else { return self == other }
    return lower <= other.lower && other.upper <= upper
  }

  static func < (left: PathComponent, right: PathComponent) -> Bool {
    if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
    return left.lower == right.lower ? left.upper < right.upper : left.lower < right.lower
  }
}
