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
      if arrival.verdict.isLoss { arrival.lost = takeCopy(of: link, .didSet) }
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

  /// Replaces the value by the default, like ``replace(by:isDefault:_:_:)``. Keeps a value that is
  /// still the initial default.
  final func replaceByDefault(
    _ source: PersistenceMachine.Source, _ link: CellPersistence
  ) -> Arrival {
    let scheduler = Scheduler.current
    scheduler.checkRead(of: self)
    let kept = lock.withLock {
      revision == 0 ? arrive(source, isDefault: true, link, in: scheduler) : nil
    }
    if let kept { return kept }
    let initial = copyOfDefault()
    return withExtendedLifetime(initial) {
      replace(by: initial.address, isDefault: true, source, link)
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
    let idHash = graphLock.withLock { tree?.takeUnretainedValue().idHash }
    // Nil if no element is observed by its id.
    func id(at position: Int) -> PathComponent? { idHash?(value, position).map { .id(hash: $0) } }
    switch patch.changes {
    case .anything:
      patch.apply(to: value)
      markAllStale(in: scheduler)
    case .removed(let position):
      let id = id(at: position)
      patch.apply(to: value)
      ElementEdit(.removed(position), alias: id, of: self).markObserversStale(in: scheduler)
    case .changed(let positions):
      let former = positions.map { id(at: $0) }
      patch.apply(to: value)
      for (position, before) in zip(positions, former) {
        // The new element at a position may have another id.
        let after = id(at: position)
        for id in before == nil || before == after ? [after] : [before, after] {
          ElementEdit(.position(position), alias: id, of: self, hasOtherID: before != after)
            .markObserversStale(in: scheduler)
        }
      }
    }
  }
}
