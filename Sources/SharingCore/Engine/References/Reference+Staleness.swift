// Which observers a change makes stale.
extension Cell {
  /// Marks the observers of any of the value stale. The cell's lock is held.
  @inline(never)
  final func markAllStale(in scheduler: Scheduler) {
    graphLock.withLock { tree?._withUnsafeGuaranteedRef { $0.markWholeStale(in: scheduler) } }
  }

  /// Has the turn run the observers of any of the value when it ends. The cell's lock is held.
  @inline(never)
  final func leaveObserversToTurn(in scheduler: Scheduler) {
    graphLock.withLock { tree?._withUnsafeGuaranteedRef { $0.leaveToTurn(in: scheduler) } }
  }

  /// Has elements changed, and wakes whoever observes them. The cell's lock is held.
  @inline(never)
  final func change(_ changes: ElementChanges, in scheduler: Scheduler, _ change: () -> Void) {
    switch changes {
    case _ where !isObserved: change()
    case .anything:
      change()
      markAllStale(in: scheduler)
    case .removed(let position):
      change()
      ElementEdit(.removed(position), alias: nil, of: self).markObserversStale(in: scheduler)
    case .changed(let positions):
      let idHash = graphLock.withLock { tree?.takeUnretainedValue().idHash }
      let former = positions.map { idHash?(address!, $0) }
      change()
      for (position, before) in zip(positions, former) {
        // An element may have another id than the one before it at that position.
        let after = idHash?(address!, position)
        markElementStale(at: position, idHash: before ?? after, in: scheduler)
        if let after, after != before {
          markElementStale(at: position, idHash: after, in: scheduler)
        }
      }
    }
  }

  private final func markElementStale(at position: Int, idHash: Int?, in scheduler: Scheduler) {
    // Where no element is observed by its id, none has to be known by one.
    let alias = PathComponent.id(hash: idHash ?? 0)
    ElementEdit(.position(position), alias: alias, of: self).markObserversStale(in: scheduler)
  }
}

extension Reference {
  /// Marks the observers of parts of the cell that overlap this one stale. The cell's lock is held,
  /// so that those of an element are found under the names that the change has found.
  @inline(never)
  final func markObserversStale(in scheduler: Scheduler) {
    graphLock.withLock {
      markPathStale(in: scheduler)?._withUnsafeGuaranteedRef {
        $0.markDescendantsStale(in: scheduler)
      }
    }
  }

  /// Wakes whoever observes this part, which is gone from the value and keeps one of its own.
  @inline(never)
  final func markOwnObserversStale(in scheduler: Scheduler) {
    graphLock.withLock { existingNode()?.markWholeStale(in: scheduler) }
  }

  /// Wakes the observers of this part, of what contains it and of what else overlaps it.
  /// - Returns: This part's node, if anything in it is observed.
  fileprivate final func markPathStale(in scheduler: Scheduler) -> Unmanaged<ObserverNode>? {
    let node =
      if let derived { derived.markSurroundingsStale(in: scheduler) } else { withCell { $0.tree } }
    node?._withUnsafeGuaranteedRef { $0.markObserversStale(in: scheduler) }
    return node
  }
}

extension DerivedReference {
  /// Wakes the observers of what contains this part and of what else overlaps it.
  fileprivate final func markSurroundingsStale(in scheduler: Scheduler) -> Unmanaged<ObserverNode>?
  {
    base.markPathStale(in: scheduler)?._withUnsafeGuaranteedRef {
      $0.markSiblingsStale(of: part, alias: alias, in: scheduler).map { .passUnretained($0) }
    }
  }
}
