/// What the last run of an observer has gone by, in order, and how far the run under way has gone the
/// same way. Whoever runs the observer has it for itself; the graph lock is held when it gets longer
/// or shorter.
struct Trail {
  private var dependencies = List<Dependency.Pointer>()
  /// How many of them the run under way has gone by; all when none is.
  private(set) var place = 0

  /// How many there are.
  var count: Int { dependencies.count }

  subscript(place: Int) -> Dependency.Pointer { dependencies[place] }

  /// Whether the run under way has gone all the way of the last one.
  var isAtEnd: Bool { place == dependencies.count }

  /// A run begins.
  mutating func restart() {
    place = 0
  }

  /// Goes on, if that is the way of the last run: through a box that still points where it did.
  /// - Returns: Whether it is.
  @inline(__always)
  mutating func goes(
    _ kind: Dependency.Kind, through box: Box, _ direction: UInt32
  ) -> Bool {
    guard !isAtEnd, dependencies[place].pointee.isOf(kind, through: box, direction) else {
      return false
    }
    place += 1
    return true
  }

  /// The same, for a part that is reached through a box which was made in passing.
  mutating func goes(_ kind: Dependency.Kind, by reference: Reference) -> Bool {
    guard !isAtEnd, dependencies[place].pointee.isOf(kind, reference) else { return false }
    place += 1
    return true
  }

  /// Goes on along a new way; the end of the old one has been cut off.
  mutating func append(_ dependency: Dependency, at node: PathNode) {
    let made = Dependency.Pointer.allocate(capacity: 1)
    made.initialize(to: dependency)
    node.insert(made)
    dependencies.append(made)
    place += 1
  }

  /// Cuts off what the run under way has not gone by.
  /// - Returns: What is to be freed when the graph lock is not held: foreign code may run then.
  mutating func cut() -> List<Dependency.Pointer> {
    var out = List<Dependency.Pointer>()
    while !isAtEnd {
      let dependency = dependencies.removeLast()
      // Retained: the node may leave the tree, which is all that keeps it.
      dependency.pointee.node.takeUnretainedValue().remove(dependency)
      out.append(dependency)
    }
    return out
  }

  @inline(never)
  static func free(_ dependencies: List<Dependency.Pointer>) {
    for index in 0..<dependencies.count {
      dependencies[index].deinitialize(count: 1)
      dependencies[index].deallocate()
    }
    dependencies.free()
  }

  /// Frees the list, from which all has been cut off.
  func free() {
    dependencies.free()
  }
}
