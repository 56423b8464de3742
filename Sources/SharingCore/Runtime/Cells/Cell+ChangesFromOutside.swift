// A change from outside: the whole value, or a patch of some elements.

extension Cell {
  /// What became of a stored value.
  struct Arrival {
    let verdict: PersistenceMachine.Verdict
    /// Whether nothing is stored.
    let isDefault: Bool
    /// The value's revision.
    var revision: UInt32
    /// The value with a change that the stored one has replaced.
    var lost: ValueToSave?
    let clearsLoadError: Bool

    /// The revision, if it is a new one.
    var taken: UInt32? { verdict.isTaken ? revision : nil }
  }

  /// Replaces the value by the stored one at an address, or by the default, if the machine says so.
  /// Called in a batch; the observers run at its end.
  /// - Parameter source: The request that the stored value answers.
  final func replace(
    by value: UnsafeMutableRawPointer, isDefault: Bool, _ source: PersistenceMachine.Source,
    _ link: CellPersistence
  ) -> Arrival {
    change(source, isDefault: isDefault, link) { scheduler in
      swapValue(with: value)
      if isObserved { markAllStale(in: scheduler) }
    }
  }

  /// Changes the elements of an array that differ from the stored ones, like
  /// ``replace(by:isDefault:_:_:)``.
  /// - Parameter revision: The revision of the value that the patch was made for.
  final func replaceElements(
    by patch: any _ValuePatch, madeFor revision: UInt32, _ link: CellPersistence
  ) -> Arrival {
    change(.read(revision), isDefault: false, link) { apply(patch, in: $0) }
  }

  /// Changes the value to the stored one, if the machine says so, and saves nothing.
  /// - Parameter body: Changes the value and marks the observers of the changed parts stale. The
  ///   cell's lock is held.
  private final func change(
    _ source: PersistenceMachine.Source, isDefault: Bool, _ link: CellPersistence,
    by body: (Scheduler) -> Void
  ) -> Arrival {
    let scheduler = Scheduler.current
    scheduler.checkRead(of: self)
    willChange()
    let arrival = lock.withLock {
      var arrival = arrive(source, isDefault: isDefault, link, in: scheduler)
      guard arrival.verdict.isTaken else { return arrival }
      if arrival.verdict.isLoss { arrival.lost = takeCopy(.didSet) }
      body(scheduler)
      revision &+= 1
      // The connection may have the stored bytes of exactly this value.
      link.elementChanges = .none
      link.changedSince = revision
      arrival.revision = revision
      return arrival
    }
    didChange()
    return arrival
  }

  /// Keeps a value that is still the initial default.
  /// - Returns: nil if the value must be set to the default.
  final func keepDefault(_ source: PersistenceMachine.Source, _ link: CellPersistence) -> Arrival? {
    let scheduler = Scheduler.current
    scheduler.checkRead(of: self)
    return lock.withLock {
      revision == 0 ? arrive(source, isDefault: true, link, in: scheduler) : nil
    }
  }

  /// The cell's lock is held.
  private final func arrive(
    _ source: PersistenceMachine.Source, isDefault: Bool, _ link: CellPersistence,
    in scheduler: Scheduler
  ) -> Arrival {
    let verdict = link.machine.arrived(
      source, isDefault: isDefault, at: revision, in: scheduler.turn)
    if verdict.mustSchedule { scheduler.scheduleSave(of: self) }
    return Arrival(
      verdict: verdict, isDefault: isDefault, revision: revision,
      clearsLoadError: verdict.isAnswer && link.machine.loadError == .old)
  }
}

// MARK: Patches

extension Cell {
  /// Applies a patch and marks the observers of the changed elements stale. The cell's lock is
  /// held.
  private final func apply(_ patch: any _ValuePatch, in scheduler: Scheduler) {
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
