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
    if persistence.savingThread == turn.thread { persistence.changesInSave += 1 }
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
      case .some(let request, let waiting):
        persistence.save(self, request, waiting)
      case .endless(let waiting):
        return persistence.giveUpSaving(waiting)
      }
    }
  }

  /// Saves the value although nothing may have changed; `done` hears the outcome once. Nor does this
  /// overwrite what the store holds by now.
  final func saveNow(_ done: @escaping Persistence.Completion) {
    guard let persistence else { return done(.success(())) }
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
      persistence.changesInSave = 0
      return true
    }
  }

  /// What the saving thread does next.
  private enum NextSave {
    case none(hasMissedRefresh: Bool)
    case some(SaveRequest, waiting: [Persistence.Completion])
    /// The key changes the value in each of its saves.
    case endless(waiting: [Persistence.Completion])
  }

  private final func nextSave(of persistence: Persistence) -> NextSave {
    lock.withLock {
      let isEndless = persistence.changesInSave > Turn.runLimit
      if isEndless || !isUnsaved { persistence.savingThread = nil }
      guard isUnsaved else {
        defer { persistence.hasMissedRefresh = false }
        return .none(hasMissedRefresh: persistence.hasMissedRefresh)
      }
      isUnsaved = false
      let waiting = persistence.requests
      persistence.requests = []
      if isEndless { return .endless(waiting: waiting) }
      defer { persistence.changedElements = .none }
      if !waiting.isEmpty, persistence.resetRevision == revision {
        return .some(.reset, waiting: waiting)
      }
      let context: SaveContext = waiting.isEmpty ? .didSet : .userInitiated
      return .some(
        .save(context, changed: persistence.changedElements.positions), waiting: waiting)
    }
  }
}
