/// Which part of a value a derived value is: one step of a path.
@usableFromInline
struct PathComponent: Equatable, Sendable {
  private let kind: Kind
  private let lower: Int
  private let upper: Int

  /// In the order in which a node keeps its children.
  private enum Kind: UInt8 { case whole, bytes, wrapped, removed, place, position, id }

  /// The value itself: the step of a cell, and of what is computed from the whole of a value.
  static let whole = PathComponent(kind: .whole, lower: 0, upper: 0)

  /// The value of an optional.
  static let wrapped = PathComponent(kind: .wrapped, lower: 0, upper: 0)

  /// Stored properties: their bytes in the value. A chain of stored properties is one step.
  static func bytes(_ bytes: Range<Int>) -> PathComponent {
    PathComponent(kind: .bytes, lower: bytes.lowerBound, upper: bytes.upperBound)
  }

  /// The element at a distance from the start of a collection.
  @usableFromInline
  static func position(_ position: Int) -> PathComponent {
    PathComponent(kind: .position, lower: position, upper: position)
  }

  /// Which element is at a distance from the start, whatever has changed in it.
  @usableFromInline
  static func place(_ position: Int) -> PathComponent {
    PathComponent(kind: .place, lower: position, upper: position)
  }

  /// The element that was at a distance from the start, and is not there any more: nobody observes
  /// that, but the others may have moved.
  @usableFromInline
  static func removed(_ position: Int) -> PathComponent {
    PathComponent(kind: .removed, lower: position, upper: position)
  }

  /// The element with an id, by the id's hash: two ids with one hash would run each other's
  /// observers, which costs time and changes nothing.
  @usableFromInline
  static func id(hash: Int) -> PathComponent {
    PathComponent(kind: .id, lower: hash, upper: hash)
  }

  /// Whether this is a stored property.
  var isBytes: Bool { kind == .bytes }

  /// Whether this is one element of a collection, which leaves the others alone.
  var isElement: Bool { kind == .position || kind == .id }

  /// How far from the start an element is, where it is known by that.
  var position: Int? { kind == .position ? lower : nil }

  /// How far from the start an element was that is gone; nil for other parts.
  var removedPosition: Int? { kind == .removed ? lower : nil }

  /// Whether this is which element is at a place: a change in the element leaves that alone.
  var isPlace: Bool { kind == .place }

  /// Whether this is an element by its id.
  var isID: Bool { kind == .id }

  /// Whether a change of the one can be seen in the other, where both are parts of one value.
  func overlaps(_ other: PathComponent) -> Bool {
    guard kind == .bytes, other.kind == .bytes else { return true }
    return self == other || (lower < other.upper && other.lower < upper)
  }

  /// Whether this part of a collection may be another one after an element is gone.
  /// - Parameters:
  ///   - position: Where the element was.
  ///   - alias: Its id; nil where that is not known.
  func mayDiffer(afterRemovalAt position: Int, alias: PathComponent?) -> Bool {
    switch kind {
    case .position, .place: position <= lower
    case .id: alias == nil || alias == self
    case .whole, .bytes, .wrapped, .removed: true
    }
  }

  /// Whether the other part lies in this one, where both are parts of one value.
  func contains(_ other: PathComponent) -> Bool {
    guard kind == .bytes, other.kind == .bytes else { return self == other }
    return lower <= other.lower && other.upper <= upper
  }

  static func < (left: PathComponent, right: PathComponent) -> Bool {
    if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
    return left.lower == right.lower ? left.upper < right.upper : left.lower < right.lower
  }
}
