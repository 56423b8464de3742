extension Cell {
  /// Begins a change of a part of the value: locks the cell until the change ends. Before that, the
  /// connection may deliver a newer stored value.
  final func beginChange(_ mutation: UnsafeMutablePointer<Mutation>, in scheduler: Scheduler) {
    if mutation.pointee.outer != nil { scheduler.checkChange(of: self, by: mutation) }
    persistence?.freshen(self, mutation.pointee.reason)
    willChange()
    scheduler.thread.pointee.mutation = mutation
    if let recorder = ChangeRecorder.current {
      mutation.pointee.target._withUnsafeGuaranteedRef {
        recorder.willChange($0, at: mutation.pointee.site)
      }
    }
    lock.lock()
  }

  /// Ends a change of a part of the value. Marks the observers of the part stale and schedules a
  /// save at the end of the turn.
  /// - Parameter outer: The mutation that encloses this one.
  final func endChange(
    of part: Reference, within outer: UnsafeMutablePointer<Mutation>?, in scheduler: Scheduler
  ) {
    if part === self {
      didChange(in: scheduler)
    } else {
      didChange(unsafeDowncast(part, to: DerivedReference.self), in: scheduler)
    }
    lock.unlock()
    scheduler.thread.pointee.mutation = outer
    didChange()
  }

  /// Records a change of the whole value. The cell's lock is held.
  private final func didChange(in scheduler: Scheduler) {
    revision &+= 1
    if isObserved { markAllStale(in: scheduler) }
    if let persistence { markUnsaved(persistence, changed: nil, in: scheduler) }
  }

  /// Records a change of a part. The cell's lock is held.
  private final func didChange(_ part: DerivedReference, in scheduler: Scheduler) {
    if part.isDetached { return part.markObserversStale(isDetached: true, in: scheduler) }
    revision &+= 1
    if isObserved { part.markObserversStale(in: scheduler) }
    if let persistence { markUnsaved(persistence, changed: part, in: scheduler) }
  }
}
