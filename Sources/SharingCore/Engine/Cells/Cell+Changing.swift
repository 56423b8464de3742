extension Cell {
  /// Begins to change a part of the value: from now on nobody else reads or changes any of it.
  /// Before that, the connection may bring what its store holds now.
  @inline(__always)
  final func beginChange(_ mutation: UnsafeMutablePointer<Mutation>, in scheduler: Scheduler) {
    if mutation.pointee.outer != nil { scheduler.checkChange(of: self, by: mutation) }
    persistence?.freshen(self, mutation.pointee.reason)
    observation.willChange(self)
    scheduler.thread.pointee.mutation = mutation
    if let recorder = ChangeRecorder.current {
      mutation.pointee.target._withUnsafeGuaranteedRef {
        recorder.willChange($0, at: mutation.pointee.site)
      }
    }
    lock.lock()
  }

  /// Ends to change a part of the value: marks the observers of the part stale, and has the value
  /// saved when the turn ends.
  /// - Parameter outer: The mutation in whose closure this one has run.
  @inline(__always)
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
    observation.didChange(self)
  }

  /// The whole value has changed. The cell's lock is held.
  @inline(__always)
  private final func didChange(in scheduler: Scheduler) {
    revision &+= 1
    if isObserved { leaveObserversToTurn(in: scheduler) }
    if let persistence { markUnsaved(persistence, changed: nil, in: scheduler) }
  }

  /// A part of the value has changed. The cell's lock is held.
  @inline(never)
  private final func didChange(_ part: DerivedReference, in scheduler: Scheduler) {
    if part.isDetached { return part.markOwnObserversStale(in: scheduler) }
    revision &+= 1
    if isObserved { part.markObserversStale(in: scheduler) }
    if let persistence { markUnsaved(persistence, changed: part, in: scheduler) }
  }

  /// Takes over the value at an address, and marks observers stale; the cell's lock is held. A
  /// function, so that a program without stored arrays links nothing of single elements.
  typealias Replacement = (Cell, _ value: UnsafeMutableRawPointer, Scheduler) -> Void

  /// Takes over all of a value; a ``Replacement``.
  static func takeOver(_ cell: Cell, _ value: UnsafeMutableRawPointer, _ scheduler: Scheduler) {
    cell.swapValue(with: value)
    if cell.isObserved { cell.markAllStale(in: scheduler) }
  }

  /// When a key was asked for what it tells.
  enum ChangeSource {
    /// It was not: it tells by itself.
    case never
    /// Before a change of the value, at that revision.
    case refresh(UInt32)
    /// By a load, at that revision; nil where the value had a change that was not saved.
    case load(UInt32?)
    /// By a load, and the value has a change that could not be saved: that stays (rule R15).
    case loadOfUnsaved
  }

  /// Takes over what the store holds, unless there is a change that the store does not know: one
  /// that still has to be saved, or one since the key was asked. Observers are marked stale, and
  /// nothing is saved. Called in a batch, at whose end the observers run.
  /// - Parameters:
  ///   - value: The address of the value to take over.
  ///   - change: Takes it over.
  /// - Returns: The revision from then on; nil when it was not taken over. Then the store is looked
  ///   at again when the turn has ended that stands in the way.
  final func replace(
    by value: UnsafeMutableRawPointer, _ asked: ChangeSource, _ change: Replacement
  ) -> UInt32? {
    let scheduler = Scheduler.current
    scheduler.checkRead(of: self)
    observation.willChange(self)
    let taken: UInt32? = lock.withLock {
      guard isOpen(to: asked) else {
        lookAgain(asked, in: scheduler)
        return nil
      }
      change(self, value, scheduler)
      revision &+= 1
      if case .load(let before?) = asked { persistence?.loaded = (before, revision) }
      // The connection may have the text of the value as it is now.
      persistence?.changedElements = .none
      persistence?.changedSince = revision
      return revision
    }
    observation.didChange(self)
    return taken
  }

  /// Leaves a value as it is that is the default, since nothing has ever taken the place of that.
  /// - Returns: Its revision; nil where the default still has to be taken over, or must not be.
  final func keepDefault(_ asked: ChangeSource) -> UInt32? {
    Scheduler.current.checkRead(of: self)
    return lock.withLock { revision == 0 && isOpen(to: asked) ? revision : nil }
  }

  /// What was not taken over is looked at when the value is saved, or when this turn ends. The
  /// cell's lock is held.
  private final func lookAgain(_ asked: ChangeSource, in scheduler: Scheduler) {
    guard let persistence else { return }
    switch asked {
    case .loadOfUnsaved: return
    // The value was saved since the load was asked for: nothing is missed.
    case .load(nil) where !isUnsaved && persistence.saves.underWay == 0: return
    default: break
    }
    persistence.hasMissedFreshening = true
    if !isUnsaved, persistence.savingThread == nil { scheduler.scheduleSave(of: self) }
  }

  /// The cell's lock is held.
  private final func isOpen(to asked: ChangeSource) -> Bool {
    if isUnsaved { return false }
    switch asked {
    case .never: return true
    case .refresh(let before): return before == revision
    case .load(nil), .loadOfUnsaved: return false
    case .load(let before?):
      if let persistence, persistence.saves.underWay > 0 { return false }
      if before == revision { return true }
      guard let loaded = persistence?.loaded else { return false }
      return loaded.before == before && loaded.after == revision
    }
  }
}
