/// An observer's dependencies in the order in which its last run read them, and how many of them
/// the current run has repeated. The thread that runs the observer owns it; the graph lock is held
/// while dependencies are added or removed.
///
/// Each leads to the next one, since most observers have one only: an array would be a block more.
struct DependencyList {
  private(set) var first: Dependency.Pointer?
  /// The last one that the current run has repeated or added; the last of all when there is none.
  private(set) var last: Dependency.Pointer?
  /// The one that the current run has to repeat next; nil when it has repeated all.
  private(set) var next: Dependency.Pointer?

  /// Whether there is one only, and the current run has read it in place.
  var isOneInPlace: Bool {
    guard let first, first == last, next == nil else { return false }
    return first.pointee.isInPlace
  }

  /// Whether there is one only, and every change of what it has read counts.
  var isOneWithoutCheck: Bool {
    guard let first else { return false }
    return first.pointee.next == nil && first.pointee.hasChanged == nil
  }

  /// A run begins.
  mutating func rewind() {
    last = nil
    next = first
  }

  /// Advances if the next dependency is this one, through a handle that still points where it did.
  /// - Returns: Whether it is.
  @inline(never)  // so that the closures are inlined that call it
  mutating func advances(
    _ kind: Dependency.Kind, through handle: Handle, _ generation: UInt32
  ) -> Bool {
    guard let next, next.pointee.handle === handle, next.pointee.generation == generation,
      next.pointee.kind == kind
    else { return false }
    (last, self.next) = (next, next.pointee.next)
    return true
  }

  /// The same, for a part that is read through a transient handle.
  mutating func advances(_ kind: Dependency.Kind, by reference: Reference) -> Bool {
    guard let next, next.pointee.isOf(kind, reference) else { return false }
    (last, self.next) = (next, next.pointee.next)
    return true
  }

  /// Adds a dependency of the current run; those that it has not repeated have been removed.
  mutating func append(_ dependency: Dependency, of observer: Observer, at node: ObserverNode) {
    let made = Dependency.Pointer.allocate(capacity: 1)
    made.initialize(to: dependency)
    node.insert(Dependency.Entry(observer: .passUnretained(observer), dependency: made))
    link(to: made)
    last = made
  }

  /// Removes the dependencies that the current run has not repeated.
  /// - Returns: The first of them, to be freed when the graph lock is released: foreign code may
  ///   run then.
  @inline(never)
  mutating func cut() -> Dependency.Pointer? {
    guard let out = next else { return nil }
    next = nil
    link(to: nil)
    var removed: Dependency.Pointer? = out
    while let dependency = removed {
      // Retained: the node may leave the tree, which is all that keeps it.
      dependency.pointee.node.takeUnretainedValue().remove(dependency)
      removed = dependency.pointee.next
    }
    return out
  }

  /// What comes behind those that the current run has repeated.
  private mutating func link(to dependency: Dependency.Pointer?) {
    if let last { last.pointee.next = dependency } else { first = dependency }
  }

  /// Frees dependencies that were removed.
  @inline(never)
  static func free(_ removed: Dependency.Pointer?) {
    var removed = removed
    while let dependency = removed {
      removed = dependency.pointee.next
      dependency.deinitialize(count: 1)
      dependency.deallocate()
    }
  }
}
