extension Root {
  /// Begins to change a part of the value: from now on nobody else reads or changes any of it. Before
  /// that, the key may bring what its store holds now.
  @inline(__always)
  final func beginChange(
    of part: Reference, _ mutation: UnsafeMutablePointer<Mutation>, in turn: Turn
  ) {
    if turn.isMutating { turn.checkChange(of: self, at: mutation.pointee.site) }
    if persistence != nil { refresh() }
    observation.willChange(self)
    turn.begin(mutation, of: self)
    if let recorder = ChangeRecorder.current {
      recorder.willChange(part, at: mutation.pointee.site)
    }
    lock.lock()
  }

  /// Ends to change a part of the value: wakes who observes the part, and has the value saved when the
  /// turn ends.
  @inline(__always)
  final func endChange(of part: Reference, in turn: Turn) {
    if let derived = part.derived, derived.isGone {
      derived.wakeOwnObservers(in: turn)
    } else {
      revision &+= 1
      if isObserved { part.wakeObservers(in: turn) }
      if persistence != nil { markUnsaved(part, in: turn) }
    }
    lock.unlock()
    turn.endMutation()
    observation.didChange(self)
  }

  /// When a key was asked for what it tells.
  enum Asked {
    /// It was not: it tells by itself.
    case never
    /// Before a change of the value, at that revision.
    case refresh(UInt32)
    /// By a load, at that revision; nil where the value had a change that was not saved.
    case load(UInt32?)
  }

  /// Takes over what the store holds, unless there is a change that the store does not know: one that
  /// still has to be saved, or one since the key was asked. Observers are woken, nothing is saved.
  /// - Returns: Whether it was taken over.
  final func receive(_ outcome: Outcome, _ asked: Asked) -> Bool {
    var isTaken = false
    switch outcome {
    case .value(let value): isTaken = replace(by: value, asked)
    case .nothing: withInitialValue { isTaken = replace(by: $0, asked) }
    case .failure: break
    }
    return isTaken
  }

  private final func replace(by value: UnsafeMutableRawPointer, _ asked: Asked) -> Bool {
    let turn = Turn.current
    turn.begin()
    turn.checkRead(of: self)
    observation.willChange(self)
    defer {
      observation.didChange(self)
      turn.end()
    }
    return lock.withLock {
      guard isOpen(to: asked) else { return false }
      swapValue(with: value)
      revision &+= 1
      if case .load(let before?) = asked { persistence?.loaded = (before, revision) }
      persistence?.changedElements.insertAll()
      if isObserved { wakeObservers(in: turn) }
      return true
    }
  }

  /// The root's lock is held.
  private final func isOpen(to asked: Asked) -> Bool {
    if isUnsaved { return false }
    switch asked {
    case .never: return true
    case .refresh(let before): return before == revision
    case .load(nil): return false
    case .load(let before?):
      if let persistence, persistence.saves.underWay > 0 { return false }
      if before == revision { return true }
      guard let loaded = persistence?.loaded else { return false }
      return loaded.before == before && loaded.after == revision
    }
  }
}
