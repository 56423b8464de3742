/// The loading and saving of one value, as a state machine: no lock, memory, clock or closure.
///
/// Each method is an event, and returns the next step of its caller, which has no condition of its
/// own. The caller holds the cell's lock during an event, and no lock during a step (rule R7). The
/// table of states and events is in docs/DESIGN.md.
package struct PersistenceMachine: Hashable {
  /// A number of a thread.
  package typealias Thread = UInt

  /// The thread that saves the value, and the remaining work.
  package enum Saving: Hashable {
    /// There is no work.
    case idle
    /// The store is read when the last save was answered and has not failed.
    case readsAfterSave
    /// A change waits for the end of its pause. The number is that of the last timer.
    case waiting(timer: UInt32)
    /// A turn has changed the value, or could not show a stored value. Its end does the work.
    case due(Work)
    /// A thread calls the connection's save. Afterwards, another round of its turn does the work.
    case running(Thread, Work?)
  }

  /// The remaining work.
  package enum Work: Hashable {
    /// To read a stored value that could not be shown.
    case read
    /// To save the last change.
    case save
    case saveAndRead
  }

  /// The content of `loadError`.
  package enum LoadError: Hashable {
    /// Nothing, or an error that observers could read in an earlier turn.
    case old
    /// The failure of a load in this turn. A save must not clear it.
    case failure(turn: UInt)
    /// The loss of a change in this turn. Nothing must clear it.
    case loss(turn: UInt)
  }

  /// The properties of a connection that decide.
  package struct Rules: Hashable {
    /// Whether it runs updates again (rule R24). Then no change can be lost.
    var replaysUpdates = false
    /// Whether it is a user's key. A value that it yields may be older than a save under way.
    var holdsBack = false
    /// Whether a change is saved after a pause, not at the end of its turn.
    var hasPause = false

    package init(replaysUpdates: Bool = false, holdsBack: Bool = false, hasPause: Bool = false) {
      self.replaysUpdates = replaysUpdates
      self.holdsBack = holdsBack
      self.hasPause = hasPause
    }
  }

  let rules: Rules
  package internal(set) var saving = Saving.idle
  /// Whether the value is the default because of a reset. Then nothing must be stored.
  var isReset = false
  /// Whether the last save failed. The value is only in memory, and a load must not hide it (R15).
  package internal(set) var isRefused = false
  package internal(set) var loadError = LoadError.old
  var followsAfterLoad = false
  var loads = Requests()
  var saves = Requests()
  var isLoadingByItself = false
  /// The calls of the connection's `load` that have not returned. A value that the key yields
  /// during the call does not outdate its load.
  var loadCalls = 0
  /// The number of the last timer.
  var lastTimer: UInt32 = 0
  /// The timer of the first change that is not saved, for the longest pause; nil without a change.
  var firstTimer: UInt32?

  package init(_ rules: Rules) {
    self.rules = rules
  }

  package var isLoading: Bool { loads.underWay > 0 || isLoadingByItself }

  package var isSaving: Bool { saves.underWay > 0 || isWaiting }

  /// Whether the value has a change of this turn that no save has taken.
  package var isUnsaved: Bool {
    switch saving {
    case .due(let work), .running(_, let work?): work.saves
    case .idle, .readsAfterSave, .waiting, .running(_, nil): false
    }
  }

  /// Whether a change waits for the end of its pause.
  package var isWaiting: Bool { if case .waiting = saving { true } else { false } }

  /// Whether the value has a change that the store may not have.
  package var isAhead: Bool { isUnsaved || isRefused || isSaving }

  /// Whether the store may be older than the save under way.
  var mustWait: Bool { rules.holdsBack && saves.underWay > 0 }

  /// Whether the store's value replaces a change that is only in memory, with a report.
  var isOnlyInMemory: Bool { (isRefused || isWaiting) && !rules.replaysUpdates }
}

// MARK: Changes

extension PersistenceMachine {
  package enum AfterChange: Hashable {
    case nothing
    /// End the turn with ``turnEnded(on:isAsked:isEndless:)``.
    case scheduleEnd
  }

  /// The program has changed the value.
  package mutating func changed() -> AfterChange {
    isReset = false
    loads.outdate()
    guard !isUnsaved else { return .nothing }
    return saving.add(.save)
  }

  /// The program asks for a save, changed or not. The caller then ends the turn for this value.
  /// - Parameter isReset: Whether the value is the default, by a reset.
  package mutating func saveAsked(isReset: Bool) {
    if isReset { self.isReset = true }
    loads.outdate()
    _ = saving.add(.save)
  }

  package enum BeforeChange: Hashable {
    case nothing
    /// Let the connection deliver a newer value.
    case read
    /// Save first: one save has only updates or none.
    case saveFirst
  }

  /// The program is about to change the value.
  /// - Parameter isOtherKind: Whether this is an update and the unsaved changes are none, or the
  ///   reverse.
  package mutating func willChange(on thread: Thread, isOtherKind: Bool) -> BeforeChange {
    if mayRead(on: thread) { return .read }
    if case .running(let saver, _) = saving, saver != thread { _ = saving.add(.read) }
    return isUnsaved && rules.replaysUpdates && isOtherKind ? .saveFirst : .nothing
  }

  /// The connection may have a newer value.
  /// - Parameter isReport: Whether a user's key reports a change of its store. The answer to a
  ///   load that began before is then outdated.
  /// - Returns: Whether to let it deliver the value now; if not, later.
  package mutating func readAsked(on thread: Thread, isReport: Bool) -> Bool {
    if isReport { loads.outdate() }
    if mayRead(on: thread) { return true }
    _ = saving.add(.read)
    return false
  }

  /// Whether no other thread saves the value, and this turn has not changed it.
  private func mayRead(on thread: Thread) -> Bool {
    switch saving {
    case .idle, .readsAfterSave, .waiting: true
    case .due(let work): !work.saves
    case .running(let saver, let work): saver == thread && work?.saves != true
    }
  }
}

// MARK: Saving

extension PersistenceMachine {
  package enum Step: Hashable {
    case nothing
    /// Pass a copy of the value to the connection, then call ``saveReturned()``.
    case save(UInt32, isReset: Bool)
    /// Let the connection deliver a newer value.
    case read
    /// Start a timer for the pause, and one for the longest pause if this is the first change. Then
    /// let the connection deliver a newer value, if there may be one.
    case pause(timer: UInt32, isFirst: Bool, reads: Bool)
    /// Report that each save or read leads to another one, and answer the requests.
    case reportEndless(isUnsaved: Bool)
  }

  /// A turn that has scheduled its end for this value ends.
  /// - Parameters:
  ///   - isAsked: Whether the program has asked for the save.
  ///   - isEndless: Whether the turn has had too many rounds.
  package mutating func turnEnded(on thread: Thread, isAsked: Bool, isEndless: Bool) -> Step {
    guard case .due(let work) = saving else { return .nothing }  // another thread does it
    if isEndless {
      saving = .idle
      if work.saves { isRefused = true }
      return .reportEndless(isUnsaved: work.saves)
    }
    guard work.saves else { return read() }
    if rules.hasPause, !isAsked { return pause(reads: work == .saveAndRead) }
    firstTimer = nil
    saving = .running(thread, work == .save ? nil : .read)
    return .save(saves.begin(), isReset: isReset)
  }

  private mutating func read() -> Step {
    if mustWait || rules.holdsBack && isRefused {
      saving = .readsAfterSave
      return .nothing
    }
    saving = .idle
    return .read
  }

  /// Begins a pause. The store is read when it ends.
  private mutating func pause(reads: Bool) -> Step {
    lastTimer &+= 1
    let isFirst = firstTimer == nil
    if isFirst { firstTimer = lastTimer }
    saving = .waiting(timer: lastTimer)
    return .pause(timer: lastTimer, isFirst: isFirst, reads: reads)
  }

  /// Whether a timer that has fired ends the pause. That of an earlier change does not.
  /// - Parameter isLongest: Whether it is the timer of the longest pause, from the first change.
  package func endsPause(_ timer: UInt32, isLongest: Bool) -> Bool {
    guard case .waiting(let last) = saving else { return false }
    return timer == (isLongest ? firstTimer : last)
  }

  package enum AfterCall: Hashable {
    case nothing
    /// Let the connection deliver a newer value.
    case read
    /// End the turn with ``turnEnded(on:isAsked:isEndless:)``: the value has changed meanwhile.
    case scheduleEnd
  }

  /// The connection's save has returned. It was answered meanwhile, or will be.
  package mutating func saveReturned() -> AfterCall {
    guard case .running(_, let work) = saving else {
      preconditionFailure("A save returns that was not running: \(saving)")
    }
    guard let work else {
      saving = .idle
      return .nothing
    }
    guard work.saves else { return read() == .read ? .read : .nothing }
    saving = .due(work)
    return .scheduleEnd
  }

  package enum AfterSave: Hashable {
    /// A later save was answered before.
    case nothing
    case setSaveError
    /// Clear `saveError`. Clear `loadError`, too, unless no observer could read it yet.
    case clearSaveError, clearErrors
  }

  /// The connection has answered a save.
  /// - Returns: The change of the status, and whether to schedule the end of the turn.
  package mutating func saveAnswered(
    _ number: UInt32, isFailure: Bool, in turn: UInt
  ) -> (status: AfterSave, next: AfterChange) {
    let isLast = saves.end(number) != .passed
    if isLast { isRefused = isFailure }
    let isReadDue = saving == .readsAfterSave
    if isReadDue { saving = .due(.read) }
    let after: AfterChange = isReadDue ? .scheduleEnd : .nothing
    guard isLast else { return (.nothing, after) }
    if isFailure { return (.setSaveError, after) }
    return (loadError.isNew(in: turn) ? .clearSaveError : .clearErrors, after)
  }

  /// A save has failed that the connection will try again: it is still under way.
  package mutating func savePostponed() { isRefused = true }

  /// The connection begins a save by itself.
  package mutating func saveBegun() -> UInt32 {
    loads.outdate()
    return saves.begin()
  }
}
