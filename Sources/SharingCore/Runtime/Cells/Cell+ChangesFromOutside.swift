// A change from outside, which may replace only some elements.
extension Cell {
  /// Applies a patch and marks the observers of the changed elements stale. The cell's lock is
  /// held.
  @inline(never)
  final func apply(_ patch: any _ValuePatch, in scheduler: Scheduler) {
    let value = address!
    guard isObserved else { return patch.apply(to: value) }
    switch patch.changes {
    case .anything:
      patch.apply(to: value)
      markAllStale(in: scheduler)
    case .removed(let position):
      patch.apply(to: value)
      ElementEdit(.removed(position), alias: nil, of: self).markObserversStale(in: scheduler)
    case .changed(let positions):
      let idHash = graphLock.withLock { tree?.takeUnretainedValue().idHash }
      let former = positions.map { idHash?(value, $0) }
      patch.apply(to: value)
      for (position, before) in zip(positions, former) {
        // The new element at a position may have another id.
        let after = idHash?(value, position)
        let hasOtherID = after != before
        markElementStale(at: position, idHash: before ?? after, hasOtherID, in: scheduler)
        if let after, hasOtherID {
          markElementStale(at: position, idHash: after, hasOtherID, in: scheduler)
        }
      }
    }
  }

  private final func markElementStale(
    at position: Int, idHash: Int?, _ hasOtherID: Bool, in scheduler: Scheduler
  ) {
    // If no element is observed by its id, any id will do.
    let alias = PathComponent.id(hash: idHash ?? 0)
    ElementEdit(.position(position), alias: alias, of: self, hasOtherID: hasOtherID)
      .markObserversStale(in: scheduler)
  }
}
