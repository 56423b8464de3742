// Marks the observers of a change stale.
extension Cell {
  /// Marks all observers of the value and its parts stale. The cell's lock is held.
  final func markAllStale(in scheduler: Scheduler) {
    graphLock.withLock { tree?._withUnsafeGuaranteedRef { $0.markWholeStale(in: scheduler) } }
  }
}

extension Reference {
  /// Marks the observers of this part and of all parts that overlap it stale. The cell's lock is
  /// held, so that an element still has the names that the change found.
  /// - Parameter isDetached: Whether the part is gone, or in a part that is gone, which then has a
  ///   value of its own: nothing around that has changed.
  final func markObserversStale(isDetached: Bool = false, in scheduler: Scheduler) {
    graphLock.withLock {
      markPathStale(isDetached, in: scheduler)?._withUnsafeGuaranteedRef {
        $0.markDescendantsStale(in: scheduler)
      }
    }
  }

  /// Marks the observers of this part stale, and of its containers and other overlapping parts.
  /// - Returns: This part's node, if anything in it is observed.
  fileprivate final func markPathStale(
    _ isDetached: Bool, in scheduler: Scheduler
  ) -> Unmanaged<ObserverNode>? {
    let node =
      if let derived {
        derived.markSurroundingsStale(isDetached, in: scheduler)
      } else {
        withCell { $0.tree }
      }
    node?._withUnsafeGuaranteedRef {
      if derived?.hasOtherID == true {
        // The element with the former id is gone.
        $0.markEverythingStale(in: scheduler)
      } else {
        $0.markObserversStale(in: scheduler)
      }
    }
    return node
  }
}

extension DerivedReference {
  /// Marks the observers of this part's containers and of other overlapping parts stale.
  /// - Returns: This part's node, if anything in it is observed.
  fileprivate final func markSurroundingsStale(
    _ isDetached: Bool, in scheduler: Scheduler
  ) -> Unmanaged<ObserverNode>? {
    if isDetached, base.derived?.isDetached != true {
      return existingNode().map { .passUnretained($0) }
    }
    return base.markPathStale(isDetached, in: scheduler)?._withUnsafeGuaranteedRef {
      // A setter may change anything that is computed from its value.
      if base.derived?.part == .whole { $0.markDescendantsStale(in: scheduler) }
      return $0.markSiblingsStale(of: self, in: scheduler).map { .passUnretained($0) }
    }
  }
}
