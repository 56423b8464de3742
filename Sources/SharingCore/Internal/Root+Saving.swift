extension Root {
  /// Lets the key bring what its store holds now.
  @inline(never)
  final func refresh() {
    persistence?.refresh(self)
  }

  /// Has the value saved when the turn ends. The root's lock is held.
  @inline(never)
  final func markUnsaved(_ part: Reference, in turn: Turn) {
    guard let persistence, persistence.saver != nil else { return }
    persistence.changedElements.insert(part)
    guard !isUnsaved else { return }
    isUnsaved = true
    if turn.isSaving { persistence.countChangeInSaves(of: turn) }
    turn.saveLater(self)
  }

  /// Saves what was changed since the last save (rule R12). One thread at a time calls the key, so
  /// that an older value never comes last, and saves what other threads change meanwhile.
  final func saveChanges() {
    guard let persistence, beginSaving(persistence) else { return }
    while true {
      switch nextSave(of: persistence) {
      case .none(let hasMissedRefresh):
        if hasMissedRefresh { refresh() }
        return
      case .some(let save):
        persistence.save(self, save)
      case .endless(let waiting):
        return persistence.giveUpSaving(waiting)
      }
    }
  }

  /// Saves the value although nothing may have changed; `done` hears the outcome once. Nor does this
  /// overwrite what the store holds by now.
  final func saveNow(_ done: @escaping Persistence.Completion) {
    guard let persistence else { return done(.success(())) }
    Turn.current.checkRequest(of: self)
    refresh()
    lock.withLock {
      persistence.requests.append(done)
      isUnsaved = true
    }
    saveChanges()
  }

  /// Goes back to the default and has the key remove what is stored, now; `done` hears the outcome
  /// once.
  final func reset(at site: CallSite, in turn: Turn, _ done: @escaping Persistence.Completion) {
    guard isKeyed else { return done(.success(())) }
    var mutation = Mutation(site: site)
    withInitialValue { value in
      withUnsafeMutablePointer(to: &mutation) { beginChange(of: self, $0, in: turn) }
      swapValue(with: value)
      persistence?.resetRevision = revision &+ 1
      endChange(of: self, in: turn)
    }
    saveNow(done)
  }

  private final func beginSaving(_ persistence: Persistence) -> Bool {
    lock.withLock {
      guard persistence.savingThread == nil else { return false }
      persistence.savingThread = Turn.current.thread
      return true
    }
  }

  /// What the saving thread does next.
  private enum NextSave {
    case none(hasMissedRefresh: Bool)
    case some(Persistence.Save)
    /// The value changes in each of the turn's saves.
    case endless(waiting: [Persistence.Completion])
  }

  private final func nextSave(of persistence: Persistence) -> NextSave {
    lock.withLock {
      let (turn, changes) = persistence.changesInSaves
      let isEndless = turn == Turn.current.number && changes > Turn.runLimit
      if isEndless || !isUnsaved { persistence.savingThread = nil }
      guard isUnsaved else {
        defer { persistence.hasMissedRefresh = false }
        return .none(hasMissedRefresh: persistence.hasMissedRefresh)
      }
      isUnsaved = false
      let waiting = persistence.requests
      persistence.requests = []
      if isEndless { return .endless(waiting: waiting) }
      return .some(
        Persistence.Save(
          request: takeRequest(of: persistence, isAsked: !waiting.isEmpty),
          number: persistence.saves.begin(), waiting: waiting))
    }
  }

  private final func takeRequest(of persistence: Persistence, isAsked: Bool) -> SaveRequest {
    let changed = persistence.changedElements
    if isAsked, persistence.resetRevision == revision {
      persistence.changedElements = .unknown  // the key has not seen the value
      return .reset
    }
    persistence.changedElements = .none
    return .save(isAsked ? .userInitiated : .didSet, changed: changed.positions)
  }
}
