/// A part of a cell's value that has observers: a node of the observer tree, whose root is the
/// whole value.
///
/// Nodes exist while they have dependents or children: a value without observers has no tree, and a
/// derivation without observers costs nothing here. All nodes are guarded by ``graphLock``.
final class ObserverNode {
  private let parent: ObserverNode?
  private let part: PathComponent
  /// Dependencies on the part's value.
  private var valueDependents = List<Dependency.Entry>()
  /// The places of those dependents that are stale without being marked: the turn that is ending
  /// runs them one after the other.
  private var unmarked = (next: 0, end: 0)
  /// Dependencies on whether the part is there, and on where a handle points that led to it.
  private var locationDependents = List<Dependency.Entry>()
  /// Logs of changed elements, if the part is a collection.
  private var logs = List<Unmanaged<ElementLog>>()
  /// Tells an element's id, if the part is a collection of which elements are observed by their
  /// ids.
  var idHash: IDHash?
  /// In the order of their parts: an element among thousands is found by halving.
  private var children = ObjectList<ObserverNode>()

  init(_ part: PathComponent, of parent: ObserverNode?) {
    self.parent = parent
    self.part = part
  }

  deinit {
    valueDependents.free()
    locationDependents.free()
    logs.free()
    children.free()
  }

  /// Whether this is the node of a reference, given that both belong to the same cell.
  func isNode(of reference: Reference) -> Bool {
    guard let parent, let derived = reference.derived else {
      return parent == nil && reference.derived == nil
    }
    return part == derived.part && parent.isNode(of: derived.base)
  }

  /// Whether the part is the whole value, or a stored property of it.
  var isInPlace: Bool {
    guard let parent else { return true }
    return parent.parent == nil && part.isBytes
  }

  /// The node of a part, if anything in it is observed.
  func existingChild(_ part: PathComponent) -> ObserverNode? {
    let index = index(of: part)
    return index < children.count && children[index].part == part ? children[index] : nil
  }

  /// The node of a part, made where nobody has observed it yet.
  func child(_ part: PathComponent) -> ObserverNode {
    if let known = existingChild(part) { return known }
    let made = ObserverNode(part, of: self)
    children.insert(made, at: index(of: part))
    return made
  }

  /// Where the child of a part is, or else would be.
  private func index(of part: PathComponent) -> Int {
    partitioningIndex(children.count) { !(children[$0].part < part) }
  }
}

// MARK: Marking stale

extension ObserverNode {
  /// Marks the observers stale of parts that overlap the changed one, but are not the same.
  /// - Parameter alias: Another name for the same element, where one is known.
  /// - Returns: The changed part's own node, if anything in it is observed.
  func markSiblingsStale(of changed: PathComponent, alias: PathComponent?, in scheduler: Scheduler)
    -> ObserverNode?
  {
    if !logs.isEmpty { tellLogs(changed, alias: alias) }
    if let position = changed.removedPosition {
      markChildrenStale(in: scheduler) { $0.mayDiffer(afterRemovalAt: position, alias: alias) }
      return nil
    }
    guard changed.isElement else {
      markChildrenStale(in: scheduler) { $0 != changed && $0.overlaps(changed) }
      return existingChild(changed)
    }
    var index = 0
    while index < children.count, !children[index].part.isElement {  // they come last
      if !children[index].part.isPlace { children[index].markEverythingStale(in: scheduler) }
      index += 1
    }
    if let alias {
      existingChild(alias)?.markEverythingStale(in: scheduler)
    } else if !children.isEmpty, children[children.count - 1].part.isID {
      markChildrenStale(in: scheduler) { $0.isID != changed.isID }
    }
    return existingChild(changed)
  }

  /// Marks the observers of this part and of everything in it stale. Inlined where a whole value
  /// changes, which is what most changes are.
  @inline(__always)
  func markWholeStale(in scheduler: Scheduler) {
    markRest()
    for index in 0..<valueDependents.count {
      Observer.markStale(for: valueDependents[index], in: scheduler)
    }
    markDescendantsStale(in: scheduler)
  }

  /// Marks the observers of this part as a whole stale.
  @inline(never)
  func markObserversStale(in scheduler: Scheduler) {
    markRest()
    for index in 0..<valueDependents.count {
      Observer.markStale(for: valueDependents[index], in: scheduler)
    }
  }

  /// Marks the observers of everything in this part stale, but not of the part as a whole.
  @inline(__always)
  func markDescendantsStale(in scheduler: Scheduler) {
    if !logs.isEmpty { tellLogs(nil, alias: nil) }
    if !children.isEmpty { markChildrenStale(in: scheduler) { _ in true } }
  }

  @inline(never)
  private func tellLogs(_ changed: PathComponent?, alias: PathComponent?) {
    for index in 0..<logs.count {
      logs[index]._withUnsafeGuaranteedRef { $0.record(changed, alias: alias) }
    }
  }

  @inline(never)
  private func markChildrenStale(
    in scheduler: Scheduler, where isOverlapping: (PathComponent) -> Bool
  ) {
    for index in 0..<children.count where isOverlapping(children[index].part) {
      children[index].markEverythingStale(in: scheduler)
    }
  }

  /// Marks stale who has reached this part, or a part of it, through a handle that points elsewhere
  /// now.
  func markRepointedStale(through handle: Handle, in scheduler: Scheduler) {
    Self.markRepointedStale(among: valueDependents, through: handle, in: scheduler)
    Self.markRepointedStale(among: locationDependents, through: handle, in: scheduler)
    for index in 0..<children.count {
      children[index].markRepointedStale(through: handle, in: scheduler)
    }
  }

  private static func markRepointedStale(
    among list: List<Dependency.Entry>, through handle: Handle, in scheduler: Scheduler
  ) {
    for index in 0..<list.count where list[index].dependency.pointee.wasReached(through: handle) {
      Observer.markCertainlyStale(for: list[index], in: scheduler)
    }
  }

  /// Marks all observers of this part and of everything in it stale: what contains it has changed.
  private func markEverythingStale(in scheduler: Scheduler) {
    for index in 0..<locationDependents.count
    where locationDependents[index].dependency.pointee.kind == .presence {
      Observer.markCertainlyStale(for: locationDependents[index], in: scheduler)
    }
    markObserversStale(in: scheduler)
    markDescendantsStale(in: scheduler)
  }
}

// MARK: Running without marking

extension ObserverNode {
  /// The same as ``markWholeStale(in:)``, where the turn ends with this change and has nothing else
  /// to run before: the observers of this part are not marked, since marking each first and then
  /// running each would fetch all of them from memory twice. Until they have run, whatever marks
  /// observers of this part, or changes the list of them, marks the rest before: see
  /// ``markRest()``.
  @inline(__always)
  func leaveToTurn(in scheduler: Scheduler) {
    guard scheduler.endsWithThisChange, unmarked.next == unmarked.end else {
      return markWholeStale(in: scheduler)
    }
    if !valueDependents.isEmpty {
      unmarked = (0, valueDependents.count)
      scheduler.runFirst(self)
    }
    markDescendantsStale(in: scheduler)
  }

  /// The next observer that was left to the turn, from now on a running one, and whether its run is
  /// steady. The graph lock is held.
  /// - Returns: Nil if none is left, or if the next one has more to it than this change: then the
  ///   rest are marked.
  @inline(__always)
  func takeUnmarked() -> (observer: Unmanaged<Observer>, isSteady: Bool)? {
    guard unmarked.next < unmarked.end else { return nil }
    guard let taken = Observer.takeUnmarked(valueDependents[unmarked.next]) else {
      markRest()
      return nil
    }
    unmarked.next &+= 1
    return taken
  }

  /// Marks the observers that were left to the turn and have not run yet. The graph lock is held.
  @inline(__always)
  private func markRest() {
    if unmarked.next < unmarked.end { markSomeRest(in: .current) }
  }

  @inline(never)
  private func markSomeRest(in scheduler: Scheduler) {
    let rest = unmarked.next..<unmarked.end
    unmarked = (0, 0)
    scheduler.asBeforeObservers {
      for index in rest { Observer.markStale(for: valueDependents[index], in: scheduler) }
    }
  }
}

// MARK: Dependencies

extension ObserverNode {
  /// The log is not kept.
  func insert(_ log: ElementLog) {
    logs.append(.passUnretained(log))
  }

  func remove(_ log: ElementLog) {
    let log = Unmanaged.passUnretained(log).toOpaque()
    let last = logs.removeLast()
    for index in 0..<logs.count where logs[index].toOpaque() == log {
      logs[index] = last
    }
  }

  func insert(_ entry: Dependency.Entry) {
    switch entry.dependency.pointee.kind {
    case .value: append(entry, to: &valueDependents)
    case .presence, .location: append(entry, to: &locationDependents)
    }
  }

  func remove(_ dependency: Dependency.Pointer) {
    switch dependency.pointee.kind {
    case .value:
      markRest()
      remove(dependency, from: &valueDependents)
    case .presence, .location: remove(dependency, from: &locationDependents)
    }
    leaveIfUnused()
  }

  private func append(_ entry: Dependency.Entry, to list: inout List<Dependency.Entry>) {
    entry.dependency.pointee.index = list.count
    list.append(entry)
  }

  private func remove(
    _ dependency: Dependency.Pointer, from list: inout List<Dependency.Entry>
  ) {
    let last = list.removeLast()
    guard last.dependency != dependency else { return }
    list[dependency.pointee.index] = last
    last.dependency.pointee.index = dependency.pointee.index
  }

  private func leaveIfUnused() {
    guard let parent, valueDependents.isEmpty, locationDependents.isEmpty, children.isEmpty
    else { return }
    parent.children.remove(at: parent.index(of: part))
    parent.leaveIfUnused()
  }
}
