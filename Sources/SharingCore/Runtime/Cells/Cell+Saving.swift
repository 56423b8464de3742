extension Cell {
  /// Schedules a save at the end of the turn, if the key saves. The cell's lock is held.
  /// - Parameter part: The changed part, nil for the whole value.
  final func markUnsaved(
    _ persistence: CellPersistence, changed part: DerivedReference?, in scheduler: Scheduler
  ) {
    guard persistence.canSave else { return }
    if let part {
      part.outermost.record(in: &persistence.elementChanges)
    } else {
      persistence.elementChanges = .anything
    }
    persistence.noteKindOfChange(in: scheduler)
    // Without threads, the turn that changes a value is the one that saves it.
    if hasThreads { persistence.connection.recordChange(in: scheduler.thread.pointee.number) }
    if scheduler.thread.pointee.isSaving { scheduler.thread.pointee.isRepeated = true }
    if persistence.machine.changed() == .scheduleEnd { scheduler.scheduleSave(of: self) }
  }

  /// Saves the changes since the last save, or starts their pause (rule R12). Only one thread at a
  /// time saves. Changes during the save are saved in another round of its turn, so an older value
  /// is never saved last.
  /// - Parameters:
  ///   - isAsked: Whether to save without a pause.
  ///   - isEndless: Whether the turn has had too many rounds.
  final func saveChanges(isAsked: Bool = false, isEndless: Bool = false) {
    guard let persistence else { return }
    let scheduler = Scheduler.current
    let (step, requests) = lock.withLock {
      takeStep(of: persistence, isAsked, isEndless, in: scheduler)
    }
    switch step {
    case .nothing: break
    case .save(let number, let isReset):
      let context: SaveContext = requests.isEmpty ? .didSet : .userInitiated
      persistence.save(self, number, context, isReset: isReset)
      switch lock.withLock({ persistence.machine.saveReturned() }) {
      case .nothing: break
      case .read: readAgain(persistence, in: scheduler)
      case .scheduleEnd: batch { scheduler.scheduleSave(of: self) }
      }
    case .pause(let timer, let isFirst, let reads):
      startPause(timer, isFirst: isFirst, persistence)
      if reads { persistence.freshen(self, .event) }
    case .read: readAgain(persistence, in: scheduler)
    case .reportEndless(let isUnsaved): persistence.giveUp(requests, isUnsaved: isUnsaved)
    }
  }

  /// Takes the next step, with the requests that it answers. The cell's lock is held.
  private final func takeStep(
    of persistence: CellPersistence, _ isAsked: Bool, _ isEndless: Bool, in scheduler: Scheduler
  ) -> (PersistenceMachine.Step, [CellPersistence.Completion]) {
    let step = persistence.machine.turnEnded(
      on: scheduler.number, isAsked: isAsked || !persistence.requests.isEmpty,
      isEndless: isEndless)
    var requests: [CellPersistence.Completion] = []
    switch step {
    case .save(let number, _):
      swap(&requests, &persistence.requests)
      if !requests.isEmpty { persistence.saveRequests.append((number, requests)) }
    case .reportEndless:
      swap(&requests, &persistence.requests)
      persistence.connection.dropChanges()
    case .nothing, .read, .pause: break
    }
    return (step, requests)
  }

  /// Reads a stored value that could not be shown before.
  private final func readAgain(_ persistence: CellPersistence, in scheduler: Scheduler) {
    scheduler.thread.pointee.isRepeated = true
    persistence.readAgain(self, lock.withLock { revision })
  }

  /// Saves the value even if it is unchanged, and calls `done` once with the outcome. Reads a newer
  /// stored value first, so that the save does not overwrite it.
  /// - Parameter resetRevision: The revision that a reset made: then the stored value is removed.
  final func saveNow(
    resetRevision: UInt32? = nil, _ done: @escaping CellPersistence.Completion
  ) {
    guard let persistence else { return done(.success(())) }
    Scheduler.current.checkRequest(of: self)
    batch {
      persistence.freshen(self, .change)
      lock.withLock {
        persistence.requests.append(done)
        persistence.machine.saveAsked(isReset: resetRevision == revision)
      }
      saveChanges()
    }
  }

  /// Sets the value to the default, removes the stored value now, and calls `done` once with the
  /// outcome.
  final func reset(
    at site: CallSite, in scheduler: Scheduler, _ done: @escaping CellPersistence.Completion
  ) {
    guard isKeyed else { return done(.success(())) }
    let outer = scheduler.thread.pointee.mutation
    var mutation = Mutation(of: .passUnretained(self), at: site, .change, within: outer)
    var resetRevision: UInt32 = 0
    withInitialValue { value in
      withUnsafeMutablePointer(to: &mutation) { beginChange($0, in: scheduler) }
      swapValue(with: value)
      resetRevision = revision &+ 1
      endChange(of: self, within: outer, in: scheduler)
    }
    saveNow(resetRevision: resetRevision, done)
  }

  /// Returns a copy of the value with its changes since the last copy, and forgets these. The
  /// cell's lock is held, so that no change of another thread comes between.
  final func takeCopy(of persistence: CellPersistence, _ context: SaveContext) -> ValueToSave {
    if hasThreads { persistence.connection.recordCopy() }
    let value = ValueToSave(
      copy: copy(), revision: revision, elements: persistence.elementChanges,
      since: persistence.changedSince, updates: persistence.unsavedChanges.updates,
      context: context)
    persistence.unsavedChanges = .none
    persistence.elementChanges = .none
    persistence.changedSince = revision
    return value
  }
}

// MARK: Pauses

extension Cell {
  /// Starts the timers of a pause; without timers, saves now.
  @inline(never)
  private final func startPause(_ timer: UInt32, isFirst: Bool, _ persistence: CellPersistence) {
    persistence.retainWhileSaving(self)
    persistence.updateProgress(of: self)
    let connection = persistence.connection
    let isStarted = connection.startPause(isLongest: false) {
      self.endPause(timer, isLongest: false)
    }
    if !isStarted { return endPause(timer, isLongest: false) }
    if isFirst {
      _ = connection.startPause(isLongest: true) { self.endPause(timer, isLongest: true) }
    }
  }

  /// Saves a change whose timer has fired.
  private final func endPause(_ timer: UInt32, isLongest: Bool) {
    guard let persistence else { return }
    if lock.withLock({ persistence.machine.endsPause(timer, isLongest: isLongest) }) {
      saveWaiting()
    }
  }

  /// Saves a change that waits for its pause. Reads a newer stored value first, which replaces it.
  /// - Returns: Whether a change was waiting.
  @discardableResult
  final func saveWaiting() -> Bool {
    guard let persistence, lock.withLock({ persistence.machine.isWaiting }) else { return false }
    batch {
      persistence.freshen(self, .change)
      let isWaiting = lock.withLock {
        guard persistence.machine.isWaiting else { return false }
        persistence.machine.saveAsked(isReset: false)
        return true
      }
      if isWaiting { saveChanges(isAsked: true) }
    }
    return true
  }
}

/// A copy of a value that a connection is to store, and its changes since the last save.
package struct ValueToSave {
  fileprivate let copy: Cell
  package let revision: UInt32
  /// The changes of elements after the revision `since`.
  fileprivate let elements: ElementChanges
  fileprivate let since: UInt32
  /// The updates that made the value, for a connection that replays them; nil if another change
  /// did.
  package let updates: [Update]?
  /// The reason for the save.
  package let context: SaveContext

  /// The address of the copy, valid while this exists.
  package var address: UnsafeRawPointer { UnsafeRawPointer(copy.address!) }

  /// Returns the changes of elements after an encoded text was made.
  /// - Parameter revision: The revision of the value in the text, nil if unknown.
  package func elementChanges(since revision: UInt32?) -> ElementChanges {
    revision == since ? elements : .anything
  }
}

extension ValueToSave {
  /// Creates the value of a key that is part of another one.
  package init<Value>(_ value: Value, _ context: SaveContext) {
    self.init(
      copy: TypedCell(value, isTracked: false), revision: 0, elements: .anything, since: 0,
      updates: nil, context: context)
  }
}
