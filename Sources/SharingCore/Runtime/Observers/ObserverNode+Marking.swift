// Marks the observers of a part stale, and of the parts in it.

extension ObserverNode {
  /// Marks the observers of parts stale that overlap the changed one but are not the same.
  /// - Returns: The changed part's own node, if anything in it is observed.
  func markSiblingsStale(of part: DerivedReference, in scheduler: Scheduler) -> ObserverNode? {
    for index in 0..<elementChanges.count { part.record(in: &elementChanges[index].pointee) }
    part.markOthersStale(in: self, scheduler)
    return existingChild(part.part)
  }

  /// Marks the observers of this collection's parts stale that a change of one element affects.
  /// - Parameters:
  ///   - element: The changed element. Its own observers are not marked.
  ///   - alias: Its other name; if unknown, all elements by id are marked.
  ///   - hasOtherID: Whether it has another id, so that another element is at its position.
  func markOthersStale(
    than element: PathComponent, alias: PathComponent?, hasOtherID: Bool, in scheduler: Scheduler
  ) {
    var index = 0
    while index < children.count, !children[index].part.isElement {  // elements come last
      if !children[index].part.isIdentity { children[index].markEverythingStale(in: scheduler) }
      index += 1
    }
    if hasOtherID, let position = element.position ?? alias?.position {
      existingChild(.identity(position))?.markEverythingStale(in: scheduler)
    }
    if let alias {
      existingChild(alias)?.markEverythingStale(in: scheduler)
    } else if children.last?.part.isID ?? false {
      markChildrenStale(in: scheduler) { $0.isID }
    }
  }

  /// Marks the observers of this part and of everything in it stale.
  func markWholeStale(in scheduler: Scheduler) {
    markObserversStale(in: scheduler)
    markDescendantsStale(in: scheduler)
  }

  /// Marks the observers of this part as a whole stale.
  func markObserversStale(in scheduler: Scheduler) {
    for index in 0..<valueDependents.count {
      Observer.markStale(for: valueDependents[index], in: scheduler)
    }
  }

  /// Marks the observers of everything in this part stale, but not of the part as a whole.
  func markDescendantsStale(in scheduler: Scheduler) {
    for index in 0..<elementChanges.count { elementChanges[index].pointee = .anything }
    markChildrenStale(in: scheduler) { _ in true }
  }

  func markChildrenStale(
    in scheduler: Scheduler, where isOverlapping: (PathComponent) -> Bool
  ) {
    for index in 0..<children.count where isOverlapping(children[index].part) {
      children[index].markEverythingStale(in: scheduler)
    }
  }

  /// Marks the observers stale that read this part, or a part of it, through a handle that now
  /// points elsewhere.
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
      list[index].observer._withUnsafeGuaranteedRef { $0.mark(.certain, in: scheduler) }
    }
  }

  /// Marks all observers of this part and of everything in it stale, because its container changed.
  func markEverythingStale(in scheduler: Scheduler) {
    for index in 0..<locationDependents.count
    where locationDependents[index].dependency.pointee.kind == .presence {
      locationDependents[index].observer._withUnsafeGuaranteedRef {
        $0.mark(.certain, in: scheduler)
      }
    }
    markWholeStale(in: scheduler)
  }
}
