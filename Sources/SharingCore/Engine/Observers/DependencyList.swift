/// An observer's dependencies in the order in which its last run read them, and how many of them
/// the current run has repeated. The thread that runs the observer owns it; the graph lock is held
/// while dependencies are added or removed.
struct DependencyList {
  private var dependencies = List<Dependency.Pointer>()
  /// How many of them the current run has repeated; all when there is none.
  var position = 0

  /// How many there are.
  var count: Int { dependencies.count }

  subscript(position: Int) -> Dependency.Pointer { dependencies[position] }

  /// Whether there is one only, and the current run has read it in place.
  var isOneInPlace: Bool { count == 1 && position == 1 && dependencies[0].pointee.isInPlace }

  /// Whether the current run has repeated all of them.
  var isAtEnd: Bool { position == dependencies.count }

  /// Advances if the next dependency is this one, through a handle that still points where it did.
  /// - Returns: Whether it is.
  @inline(never)  // so that the closures are inlined that call it
  mutating func advances(
    _ kind: Dependency.Kind, through handle: Handle, _ generation: UInt32
  ) -> Bool {
    if isAtEnd { return false }
    let next = dependencies[position]
    guard next.pointee.handle === handle, next.pointee.generation == generation,
      next.pointee.kind == kind
    else { return false }
    position += 1
    return true
  }

  /// The same, for a part that is read through a transient handle.
  mutating func advances(_ kind: Dependency.Kind, by reference: Reference) -> Bool {
    guard !isAtEnd, dependencies[position].pointee.isOf(kind, reference) else { return false }
    position += 1
    return true
  }

  /// Adds a dependency of the current run; those that it has not repeated have been removed.
  mutating func append(_ dependency: Dependency, at node: ObserverNode) {
    let made = Dependency.Pointer.allocate(capacity: 1)
    made.initialize(to: dependency)
    node.insert(made)
    dependencies.append(made)
    position += 1
  }

  /// Removes the dependencies that the current run has not repeated.
  /// - Returns: The dependencies, to be freed when the graph lock is released: foreign code may run
  ///   then.
  @inline(never)
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

  /// Frees the list, which is empty.
  func free() {
    dependencies.free()
  }
}
