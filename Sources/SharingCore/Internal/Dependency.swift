/// One thing that one run of an observer has gone by. The observer owns it, at an address that stays:
/// lists are made of such addresses, so that going through them counts no references.
struct Dependency {
  typealias Pointer = UnsafeMutablePointer<Dependency>

  /// What was gone by: the value of a part, that the part is there at all, or where a box points.
  enum Kind { case value, presence, direction }

  let kind: Kind
  /// Valid while the dependency is: an observer frees its own.
  let observer: Unmanaged<Observer>
  /// What the observer came through; nil where that was made in passing.
  let box: Box?
  /// The number of the box's direction.
  let direction: UInt32
  /// Keeps the node's tree alive. Not the derived reference: one of an element holds on to a value,
  /// which would then be copied when it is changed.
  let root: Root
  /// The node that has the dependency in its list.
  let node: Unmanaged<PathNode>
  /// The dependency's place in that list. Guarded by the graph lock.
  var index = 0
  /// Whether what was read is another value now; nil where the observer runs after every change.
  var hasChanged: (() -> Bool)?

  /// Whether that is to be found out: what it was computed from has changed. Guarded as the above.
  var isSuspect = false

  /// Whether what was read is another value now. No lock is held: this may compute and compare.
  var isNews: Bool { hasChanged?() ?? true }

  /// Whether a box is what the observer came through, and still points where it did.
  @inline(__always)
  func isOf(_ kind: Kind, through box: Box, _ direction: UInt32) -> Bool {
    self.box === box && self.direction == direction && self.kind == kind
  }

  /// Whether this was gone by in passing, and is the same part.
  func isOf(_ kind: Kind, _ reference: Reference) -> Bool {
    box == nil && self.kind == kind && root === reference.root
      && node._withUnsafeGuaranteedRef { $0.isNode(of: reference) }
  }

  /// Whether a box is what the observer came through, or what that follows; also where that is not
  /// known, since the box was made in passing.
  func leads(through box: Box) -> Bool {
    var next = self.box
    while let candidate = next {
      if candidate === box { return true }
      next = candidate.followed
    }
    guard box.isTransient else { return false }
    return self.box == nil || box.followed.map { leads(through: $0) } ?? false
  }
}
