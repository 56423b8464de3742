extension Cell {
  /// Schedules a save at the end of the turn, if the key saves. The cell's lock is held.
  /// - Parameter part: The changed part, nil for the whole value.
  final func markUnsaved(
    _ persistence: CellPersistence, changed part: DerivedReference?, in scheduler: Scheduler
  ) {
    guard persistence.canSave else { return }
    if let part {
      persistence.changedPositions.insert(part)
    } else {
      persistence.changedPositions.invalidate()
    }
    persistence.noteKindOfChange(in: scheduler)
    // Without threads, the turn that changes a value is the one that saves it.
    if hasThreads { persistence.connection.noteChange(in: scheduler.thread.pointee.number) }
    if let savingThread = persistence.savingThread, savingThread != scheduler.thread {
      persistence.changesInSaves = TurnCount()  // another thread's change must be saved
    }
    guard !isUnsaved else { return }
    isUnsaved = true
    if scheduler.thread.pointee.isSaving { persistence.changesInSaves.add(in: scheduler) }
    scheduler.scheduleSave(of: self)
  }

  /// Saves the changes since the last save (rule R12). Only one thread at a time saves, and it also
  /// saves changes of other threads meanwhile, so an older value is never saved last.
  final func saveChanges() {
    guard let persistence else { return }
    var isFirst = true
    while true {
      let next = lock.withLock { nextSave(of: persistence, isFirst: isFirst) }
      isFirst = false
      switch next {
      case .elsewhere: return
      case .none(let hasSkippedRead):
        if hasSkippedRead { persistence.freshen(self, .event) }
        return
      case .save(let request, let isReset):
        persistence.save(request, isReset: isReset)
      case .endless(let waiting):
        return persistence.giveUpSaving(waiting)
      case .endlessReads: return persistence.giveUpReading()
      }
    }
  }

  /// Saves the value even if it is unchanged, and calls `done` once with the outcome. Reads a newer
  /// stored value first, so that the save does not overwrite it.
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

  /// Sets the value to the default, removes the stored value now, and calls `done` once with the
  /// outcome.
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

  /// The next step of the saving thread.
  private enum NextSave {
    /// Another thread is saving and will save this change, too.
    case elsewhere
    case none(hasSkippedRead: Bool)
    case save(SaveRequest, isReset: Bool)
    /// Each save of the turn changes the value again.
    case endless(waiting: [CellPersistence.Completion])
    /// Each read of the turn leads to another one.
    case endlessReads
  }

  /// Returns the next step and claims it. The cell's lock is held.
  private final func nextSave(of persistence: CellPersistence, isFirst: Bool) -> NextSave {
    let scheduler = Scheduler.current
    if isFirst {
      guard persistence.savingThread == nil else { return .elsewhere }
      persistence.savingThread = scheduler.thread
    }
    let isEndless = persistence.changesInSaves.value(in: scheduler) > Scheduler.runLimit
    if isEndless || !isUnsaved { persistence.savingThread = nil }
    guard isUnsaved else {
      let hasSkippedRead = persistence.hasSkippedRead
      persistence.hasSkippedRead = false
      if hasSkippedRead, persistence.readsAgain.add(in: scheduler) > Scheduler.runLimit {
        return .endlessReads
      }
      return .none(hasSkippedRead: hasSkippedRead)
    }
    isUnsaved = false
    let waiting = persistence.requests
    persistence.requests = []
    if isEndless {
      persistence.connection.dropChanges()
      return .endless(waiting: waiting)
    }
    let isReset = !waiting.isEmpty && persistence.resetRevision == revision
    let request = SaveRequest(
      waiting.isEmpty ? .didSet : .userInitiated, self, number: persistence.saves.begin(),
      waiting: waiting)
    return .save(request, isReset: isReset)
  }

  /// Returns a copy of the value with its changes since the last copy, to be saved. Both are taken
  /// under one lock, so that no change of another thread comes between them.
  final func copyToSave() -> ValueToSave {
    lock.withLock { ValueToSave(copy: copy(), changes: takeChanges()) }
  }

  /// Returns the changes since the last save, and forgets them. The cell's lock is held.
  private final func takeChanges() -> ChangesToSave {
    guard let persistence else {
      return ChangesToSave(revision: revision, elements: nil, since: 0, updates: nil)
    }
    if hasThreads { persistence.connection.noteCopy() }
    let changes = ChangesToSave(
      revision: revision, elements: persistence.changedPositions.positions,
      since: persistence.changedSince, updates: persistence.unsavedChanges.updates)
    persistence.unsavedChanges = .none
    persistence.changedPositions = .none
    persistence.changedSince = revision
    return changes
  }
}

/// A copy of a value that a connection is to store, and the changes that led to it.
package struct ValueToSave {
  private let copy: Cell
  package let changes: ChangesToSave

  fileprivate init(copy: Cell, changes: ChangesToSave) {
    self.copy = copy
    self.changes = changes
  }

  /// The address of the copy, valid while this exists.
  package var address: UnsafeRawPointer { UnsafeRawPointer(copy.address!) }

  /// Returns this copy with the changes of an earlier one, too, which is not saved.
  package func replacing(_ earlier: ValueToSave) -> ValueToSave {
    ValueToSave(copy: copy, changes: changes.following(earlier.changes))
  }
}

/// The changes of a value since its last save.
package struct ChangesToSave {
  /// The revision of the value to save.
  package let revision: UInt32
  /// The positions of the elements that changed after the revision `since`, nil if unknown.
  let elements: [Int]?
  let since: UInt32
  /// The updates that made the value, for a connection that replays them; nil if another change
  /// did.
  package let updates: [Update]?

  /// Returns the positions of the elements that changed after an encoded text was made, nil if
  /// unknown.
  /// - Parameter revision: The revision of the value in the text.
  package func elements(since revision: UInt32?) -> [Int]? {
    revision == since ? elements : nil
  }

  /// Returns these changes with earlier ones before them. Updates are lost: a connection that
  /// replays them saves each copy.
  fileprivate func following(_ earlier: ChangesToSave) -> ChangesToSave {
    var all: [Int]?
    if since == earlier.revision, let elements, let others = earlier.elements {
      all = elements
      for position in others { all!.insertAscending(position) }
    }
    return ChangesToSave(revision: revision, elements: all, since: earlier.since, updates: nil)
  }
}
