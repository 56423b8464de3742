// A change from outside: the whole value, or a patch of some elements.

extension Cell {
  /// The form in which a stored value replaces the one in memory.
  enum Replacement {
    /// All of the value; the stored one is at this address.
    case value(UnsafeMutableRawPointer)
    /// Some elements of an array.
    case patch(any _ValuePatch)
  }

  /// The request that a value from a key answers.
  enum ChangeSource {
    /// None: the key yields by itself.
    case never
    /// A refresh before a change, when the value had this revision.
    case refresh(UInt32)
    /// A load, when the value had this revision; nil if it had an unsaved change.
    case load(UInt32?)
    /// A load of a value with a change that could not be saved: that is kept (rule R15).
    case loadOfUnsaved
  }

  /// Replaces the value by the stored one, unless there is a local change that the store does not
  /// have: a pending one, or one since the request. Marks observers stale and saves nothing. Called
  /// in a batch; the observers run at its end.
  /// - Parameters:
  ///   - replacement: The stored value, or its difference from the value.
  ///   - asked: The request that the stored value answers.
  /// - Returns: The new revision, nil if the value was not replaced. Then the store is read again
  ///   when the turn with the local change ends.
  final func replace(by replacement: Replacement, _ asked: ChangeSource) -> UInt32? {
    let scheduler = Scheduler.current
    scheduler.checkRead(of: self)
    willChange()
    let taken: UInt32? = lock.withLock {
      guard isOpen(to: asked) else {
        scheduleRead(asked, in: scheduler)
        return nil
      }
      apply(replacement, in: scheduler)
      revision &+= 1
      if case .load(let before?) = asked { persistence?.loaded = (before, revision) }
      // The connection may have the stored bytes of exactly this value.
      persistence?.changedPositions = .none
      persistence?.changedSince = revision
      return revision
    }
    didChange()
    return taken
  }

  /// Changes the value and marks observers of the changed parts stale. The cell's lock is held.
  private final func apply(_ replacement: Replacement, in scheduler: Scheduler) {
    switch replacement {
    case .value(let value):
      swapValue(with: value)
      if isObserved { markAllStale(in: scheduler) }
    case .patch(let patch): apply(patch, in: scheduler)
    }
  }

  /// Keeps a value that is still the initial default.
  /// - Returns: Its revision; nil if the value must still be set to the default, or must not be.
  final func keepDefault(_ asked: ChangeSource) -> UInt32? {
    Scheduler.current.checkRead(of: self)
    return lock.withLock { revision == 0 && isOpen(to: asked) ? revision : nil }
  }

  /// Schedules another read of the store for when the value is saved, or when this turn ends. The
  /// cell's lock is held.
  private final func scheduleRead(_ asked: ChangeSource, in scheduler: Scheduler) {
    guard let persistence else { return }
    switch asked {
    case .loadOfUnsaved: return
    // The value was saved after the load began, so no change is missed.
    case .load(nil) where !isUnsaved && persistence.saves.underWay == 0: return
    default: break
    }
    persistence.hasSkippedRead = true
    if !isUnsaved, persistence.savingThread == nil { scheduler.scheduleSave(of: self) }
  }

  /// Returns whether a stored value may replace the current one. The cell's lock is held.
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

// MARK: Patches

extension Cell {
  /// Applies a patch and marks the observers of the changed elements stale. The cell's lock is
  /// held.
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
