extension Cell {
  /// Has the value saved when the turn ends, if its key saves. The cell's lock is held. A call, so
  /// that there is little code on the way of a value that has no key.
  /// - Parameter part: What has changed; nil for all of it.
  @inline(never)
  final func markUnsaved(
    _ persistence: CellPersistence, changed part: DerivedReference?, in scheduler: Scheduler
  ) {
    guard persistence.canSave else { return }
    if let part {
      persistence.changedElements.insert(part)
    } else {
      persistence.changedElements.invalidate()
    }
    persistence.noteKindOfChange(in: scheduler)
    if let savingThread = persistence.savingThread, savingThread != scheduler.thread {
      persistence.changesInSaves.count = 0  // it has to be saved, whatever the key makes of it
    }
    guard !isUnsaved else { return }
    isUnsaved = true
    if scheduler.thread.pointee.isSaving { persistence.countChangeInSaves(of: scheduler) }
    scheduler.scheduleSave(of: self)
  }

  /// Saves what was changed since the last save (rule R12). One thread at a time saves, so that an
  /// older value never comes last, and saves what other threads change meanwhile.
  final func saveChanges() {
    guard let persistence else { return }
    var isFirst = true
    while true {
      let next = lock.withLock { nextSave(of: persistence, isFirst: isFirst) }
      isFirst = false
      switch next {
      case .elsewhere: return
      case .none(let hasMissedFreshening):
        if hasMissedFreshening { persistence.freshen(self, .event) }
        return
      case .save(let request, let isReset):
        persistence.save(request, isReset: isReset)
      case .endless(let waiting):
        return persistence.giveUpSaving(waiting)
      }
    }
  }

  /// Saves the value although nothing may have changed; `done` hears the outcome once. Nor does
  /// this overwrite what the store holds by now.
  final func saveNow(_ done: @escaping CellPersistence.Completion) {
    guard let persistence else { return done(.success(())) }
    Scheduler.current.checkRequest(of: self)
    persistence.freshen(self, .change)
    lock.withLock {
      persistence.requests.append(done)
      isUnsaved = true
    }
    saveChanges()
  }

  /// Goes back to the default and has the key remove what is stored, now; `done` hears the outcome
  /// once.
  final func reset(
    at site: CallSite, in scheduler: Scheduler, _ done: @escaping CellPersistence.Completion
  ) {
    guard isKeyed else { return done(.success(())) }
    let outer = scheduler.thread.pointee.mutation
    var mutation = Mutation(of: .passUnretained(self), at: site, .change, within: outer)
    withInitialValue { value in
      withUnsafeMutablePointer(to: &mutation) { beginChange($0, in: scheduler) }
      swapValue(with: value)
      persistence?.resetRevision = revision &+ 1
      endChange(of: self, within: outer, in: scheduler)
    }
    saveNow(done)
  }

  /// What the saving thread does next.
  private enum NextSave {
    /// Another thread saves, and will save this too.
    case elsewhere
    case none(hasMissedFreshening: Bool)
    case save(SaveRequest, isReset: Bool)
    /// The value changes in each of the turn's saves.
    case endless(waiting: [CellPersistence.Completion])
  }

  /// The cell's lock is held.
  private final func nextSave(of persistence: CellPersistence, isFirst: Bool) -> NextSave {
    let scheduler = Scheduler.current.thread
    if isFirst {
      guard persistence.savingThread == nil else { return .elsewhere }
      persistence.savingThread = scheduler
    }
    let changes = persistence.changesInSaves
    let isEndless = changes.turn == scheduler.pointee.number && changes.count > Scheduler.runLimit
    if isEndless || !isUnsaved { persistence.savingThread = nil }
    guard isUnsaved else {
      let hasMissedFreshening = persistence.hasMissedFreshening
      persistence.hasMissedFreshening = false
      return .none(hasMissedFreshening: hasMissedFreshening)
    }
    isUnsaved = false
    let waiting = persistence.requests
    persistence.requests = []
    if isEndless { return .endless(waiting: waiting) }
    let isReset = !waiting.isEmpty && persistence.resetRevision == revision
    let request = SaveRequest(
      waiting.isEmpty ? .didSet : .userInitiated, self, number: persistence.saves.begin(),
      waiting: waiting)
    return .save(request, isReset: isReset)
  }

  /// The elements that have changed, for a copy of the value at a revision; from then on they are
  /// counted anew, unless there is a newer change. The cell's lock is held.
  final func takeChanges(ofRevision revision: UInt32) -> ChangesToSave {
    guard let persistence, revision == self.revision else {
      return ChangesToSave(revision: revision, elements: nil, since: 0, updates: nil)
    }
    let changes = ChangesToSave(
      revision: revision, elements: persistence.changedElements.positions,
      since: persistence.changedSince, updates: persistence.unsavedChanges.updates)
    persistence.unsavedChanges = .none
    persistence.changedElements = .none
    persistence.changedSince = revision
    return changes
  }
}

/// Which elements of an array have to be encoded anew.
package struct ChangesToSave {
  /// The revision of the value to save.
  package let revision: UInt32
  /// The positions of the elements that have changed since another revision, as far as that is
  /// known.
  let elements: [Int]?
  let since: UInt32
  /// The updates that have made the value, for a connection that makes them again; nil where
  /// something else has.
  package let updates: [Update]?

  /// The positions of the elements that have changed since the text was made that is to be brought
  /// up to date; nil where that is unknown.
  /// - Parameter revision: The revision of the value that the text was made of.
  package func elements(since revision: UInt32?) -> [Int]? {
    revision == since ? elements : nil
  }
}
