/// An observer's dependencies, in the order of its last run, and the current run's position in
/// them. The thread that runs the observer owns it. The graph lock is held while dependencies are
/// added or removed.
///
/// A linked list: most observers have one dependency, and an array would allocate another block.
struct DependencyList {
  private(set) var first: Dependency.Pointer?
  /// The last one that the current run repeated or added; the last of all if no run is under way.
  private(set) var last: Dependency.Pointer?
  /// The next one for the current run to repeat, nil after the last.
  private(set) var next: Dependency.Pointer?

  /// Returns the first dependency that needs a check, which then no longer does. The graph lock is
  /// held.
  func takeCheck() -> Dependency.Pointer? {
    var next = first
    while let dependency = next, !dependency.pointee.needsCheck { next = dependency.pointee.next }
    next?.pointee.needsCheck = false
    return next
  }

  /// Drops the checks: the run that begins reads everything again. The graph lock is held.
  func dropChecks() {
    while takeCheck() != nil {}
  }

  /// Begins a run.
  mutating func rewind() {
    last = nil
    next = first
  }

  /// Advances if the next dependency is this one and its handle still points to the same reference.
  /// - Returns: Whether it advanced.
  @inline(never)  // so that the closures that call it are inlined
  mutating func advances(
    _ kind: Dependency.Kind, through handle: Handle, _ generation: UInt32
  ) -> Bool {
    guard let next, next.pointee.handle === handle, next.pointee.generation == generation,
      next.pointee.kind == kind
    else { return false }
    (last, self.next) = (next, next.pointee.next)
    return true
  }

  /// Advances if the next dependency is this part, read through a handle that the run has made.
  mutating func advances(_ kind: Dependency.Kind, by reference: Reference) -> Bool {
    guard let next, next.pointee.isOf(kind, reference) else { return false }
    (last, self.next) = (next, next.pointee.next)
    return true
  }

  /// Adds a dependency of the current run. Call ``cut()`` first.
  mutating func append(_ dependency: Dependency, of observer: Observer, at node: ObserverNode) {
    let made = Dependency.Pointer.allocate(capacity: 1)
    made.initialize(to: dependency)
    node.insert(Dependency.Entry(observer: .passUnretained(observer), dependency: made))
    link(to: made)
    last = made
  }

  /// Removes the dependencies that the current run did not repeat.
  /// - Returns: The first of them. Free it after the graph lock is released: that may run foreign
  ///   code.
  mutating func cut() -> Dependency.Pointer? {
    guard let out = next else { return nil }
    next = nil
    link(to: nil)
    var removed: Dependency.Pointer? = out
    while let dependency = removed {
      // Retained, because the node may leave the tree, which is its only owner.
      dependency.pointee.node.takeUnretainedValue().remove(dependency)
      removed = dependency.pointee.next
    }
    return out
  }

  /// Sets the successor of the dependencies that the current run repeated.
  private mutating func link(to dependency: Dependency.Pointer?) {
    if let last { last.pointee.next = dependency } else { first = dependency }
  }

  /// Frees removed dependencies.
  static func free(_ removed: Dependency.Pointer?) {
    var removed = removed
    while let dependency = removed {
      removed = dependency.pointee.next
      dependency.deinitialize(count: 1)
      dependency.deallocate()
    }
  }
}
