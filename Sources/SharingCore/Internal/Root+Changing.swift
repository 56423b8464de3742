extension Root {
  /// Begins to change a part of the value: from now on nobody else reads or changes any of it. Before
  /// that, the key may bring what its store holds now.
  @inline(__always)
  final func beginChange(
    of part: Reference, _ mutation: UnsafeMutablePointer<Mutation>, in turn: Turn
  ) {
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
    revision &+= 1
    if isObserved { part.wakeObservers(in: turn) }
    if persistence != nil { markUnsaved(part, in: turn) }
    lock.unlock()
    turn.endMutation()
    observation.didChange(self)
  }

  /// Takes over what the store holds, unless there is a mutation that the store does not know: one that
  /// still has to be saved, or one since `version`. Observers are woken, nothing is saved.
  /// - Parameter version: What the value was when the store was asked; nil for news from the store.
  /// - Returns: Whether it was taken over.
  final func receive(_ outcome: Outcome, since version: Version?) -> Bool {
    var isTaken = false
    switch outcome {
    case .value(let value): isTaken = replace(by: value, since: version)
    case .nothing: withInitialValue { isTaken = replace(by: $0, since: version) }
    case .failure: break
    }
    return isTaken
  }

  private final func replace(by value: UnsafeMutableRawPointer, since version: Version?) -> Bool {
    let turn = Turn.current
    turn.begin()
    turn.checkRead(of: self)
    observation.willChange(self)
    defer {
      observation.didChange(self)
      turn.end()
    }
    return lock.withLock {
      guard !isUnsaved, version == nil || version == .revision(revision) else {
        return false
      }
      swapValue(with: value)
      revision &+= 1
      persistence?.changedElements.insertAll()
      if isObserved { wakeObservers(in: turn) }
      return true
    }
  }

  /// What the value was at some time, to know whether the store has been asked after the last mutation.
  enum Version: Equatable {
    case revision(UInt32)
    /// A mutation had still to be saved, or was being saved.
    case unsaved
  }

  /// What the value is now.
  final var version: Version {
    lock.withLock {
      isUnsaved || persistence?.savingThread != nil ? .unsaved : .revision(revision)
    }
  }
}
