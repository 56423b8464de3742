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
    turn.saveLater(self)
  }

  /// Saves what was changed since the last save (rule R12). While another thread saves, that one
  /// saves again.
  final func saveChanges() {
    guard let persistence else { return }
    var rounds = 0
    while let (waiting, changed) = takeChanges(of: persistence, after: rounds) {
      rounds += 1
      let request: SaveRequest =
        isReset && !waiting.isEmpty
        ? .reset : .save(waiting.isEmpty ? .didSet : .userInitiated, changed: changed)
      persistence.save(self, request, waiting)
    }
    if rounds > Turn.runLimit { reportEndlessSaving() }
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

  private final var isReset: Bool {
    lock.withLock { persistence?.resetRevision == revision }
  }

  /// Who calls the key's `save` is one thread at a time, so that an older value never comes last.
  /// - Parameter rounds: How often this call of `saveChanges` has saved.
  /// - Returns: Who waits for this save, and which elements have changed; nil when there is nothing to
  ///   save, or another thread does.
  private final func takeChanges(
    of persistence: Persistence, after rounds: Int
  ) -> (waiting: [Persistence.Completion], changed: [Int]?)? {
    lock.withLock {
      if rounds == 0, persistence.isSaving { return nil }
      persistence.isSaving = isUnsaved && rounds <= Turn.runLimit
      isUnsaved = false
      guard persistence.isSaving else { return nil }
      defer {
        persistence.requests = []
        persistence.changedElements = .none
      }
      return (persistence.requests, persistence.changedElements.positions)
    }
  }

  private final func reportEndlessSaving() {
    SharingEnvironment.current.report(
      SharingIssue(
        """
        A key has changed its own value in each of \(Turn.runLimit) saves; the last change is not \
        saved. Do not change a value in its key's save.
        """))
  }
}
