/// A reference that owns its value: whatever its type, the lock, the observers and the persistence.
class Root: Reference, @unchecked Sendable {
  /// Where the value is; a subclass allocates, types and frees it.
  final let address: UnsafeMutableRawPointer
  /// Guards the value and what is private here. Of foreign code, only `withLock`'s own closure runs
  /// under it, and what makes an element's `id`.
  final let lock = Lock()
  /// What is observed of the value; guarded by the graph lock.
  final private(set) var tree: PathNode?
  /// The link to a key's store; set before the root is shared.
  final var persistence: Persistence?
  /// Whether anybody has ever observed the value: only then a change asks the tree. Guarded by the
  /// root's lock.
  final private(set) var isObserved = false

  /// What Swift's Observation is told.
  final let observation = ObservationBridge()

  private final var madeStatus: ValueReference<SharedStatus>?
  /// How often the value has been changed or replaced.
  private final var currentRevision = 0
  private final var isUnsaved = false
  private final var isSaving = false
  /// The revision that a reset has made: for as long as it is the current one, nothing shall be
  /// stored.
  private final var resetRevision: Int?
  private final var requests: [SaveRequest] = []

  /// Somebody who has asked for a save.
  typealias SaveRequest = @Sendable (Result<Void, AnyError>) -> Void

  init(address: UnsafeMutableRawPointer) {
    self.address = address
    super.init(part: .whole, of: nil)
  }

  /// Whether the value can be stored. The root's lock is held.
  var isWritable: Bool { fatalError("isWritable is overridden") }

  /// Has the key store the value as it is; `done` hears the outcome once.
  func save(_ context: SaveContext, _ done: @escaping SaveRequest) {
    fatalError("save(_:_:) is overridden")
  }

  override final func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    switch access {
    case .reading: lock.withLock { body(address) }
    case .changing: body(address)
    }
  }
}

// MARK: Changing

extension Root {
  /// Lets `body` change a part of the value while nobody else reads or changes any of it, wakes who
  /// observes the part, and has the value saved when the turn ends.
  final func change(
    _ part: Reference, at site: CallSite, in turn: Turn, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    observation.willChange(self)
    turn.beginMutation(of: self, at: site)
    let mustSave = lock.withLock {
      part.withAddress(.changing, body)
      currentRevision &+= 1
      part.wakeObservers(in: turn)
      let mustSave = persistence != nil && isWritable && !isUnsaved
      isUnsaved = isUnsaved || mustSave
      return mustSave
    }
    turn.endMutation()
    observation.didChange(self)
    if mustSave { turn.saveLater(self) }
  }

  /// Lets `body` replace the value by one from the store, unless there is a mutation that the store
  /// does not know: one that still has to be saved, or one since `revision`.
  /// - Returns: Whether it was replaced.
  final func replace(since revision: Int?, in turn: Turn, _ body: () -> Void) -> Bool {
    turn.checkRead(of: self)
    observation.willChange(self)
    defer { observation.didChange(self) }
    return lock.withLock {
      guard !isUnsaved, revision == nil || revision == currentRevision else { return false }
      body()
      currentRevision &+= 1
      wakeObservers(in: turn)
      return true
    }
  }

  /// The number by which ``replace(since:in:_:)`` knows that the store has been asked after the last
  /// mutation; one that never fits while a mutation has still to be saved.
  final var savedRevision: Int {
    lock.withLock { isUnsaved ? -1 : currentRevision }
  }

  /// Whether a mutation has still to be saved.
  final var hasUnsavedChanges: Bool {
    lock.withLock { isUnsaved }
  }
}

// MARK: Saving

extension Root {
  /// Saves what was changed since the last save (rule R12). While another thread saves, that one
  /// saves again.
  final func saveChanges() {
    var rounds = 0
    while let waiting = takeChanges(after: rounds) {
      rounds += 1
      let context: SaveContext =
        waiting.isEmpty ? .didSet : isReset ? .reset : .userInitiated
      save(context) { result in for done in waiting { done(result) } }
    }
    if rounds > Turn.runLimit { reportEndlessSaving() }
  }

  /// Saves the value although nothing may have changed; `done` hears the outcome once.
  final func saveNow(_ done: @escaping SaveRequest) {
    let canSave = lock.withLock {
      guard persistence != nil, isWritable else { return false }
      requests.append(done)
      isUnsaved = true
      return true
    }
    if canSave { saveChanges() } else { done(.success(())) }
  }

  /// Goes back to the default and has the key remove what is stored, now; `done` hears the outcome
  /// once.
  final func reset(at site: CallSite, in turn: Turn, _ done: @escaping SaveRequest) {
    guard let persistence else { return done(.success(())) }
    persistence.refresh()
    change(self, at: site, in: turn) { address in
      persistence.restoreInitialValue(at: address)
      resetRevision = currentRevision &+ 1
    }
    saveNow(done)
  }

  private final var isReset: Bool {
    lock.withLock { resetRevision == currentRevision }
  }

  /// Who calls the key's `save` is one thread at a time, so that an older value never comes last.
  /// - Parameter rounds: How often this call of `saveChanges` has saved.
  /// - Returns: Who waits for this save; nil when there is nothing to save, or another thread does.
  private final func takeChanges(after rounds: Int) -> [SaveRequest]? {
    lock.withLock {
      if rounds == 0, isSaving { return nil }
      isSaving = isUnsaved && rounds <= Turn.runLimit
      isUnsaved = false
      guard isSaving else { return nil }
      defer { requests = [] }
      return requests
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

// MARK: Observation

extension Root {
  /// Comes before the graph lock is taken and the value is read, so that no change is missed.
  final func willBeObserved() {
    lock.withLock { isObserved = true }
  }

  /// The node of the whole value. The graph lock is held.
  final func observedTree() -> PathNode {
    if let tree { return tree }
    let made = PathNode(.whole, of: nil)
    tree = made
    return made
  }

  /// Whether anything has been noted or read of loading and saving.
  final var hasStatus: Bool {
    lock.withLock { madeStatus != nil }
  }

  /// What is known of loading and saving, made when first asked for.
  final var status: Shared<SharedStatus> {
    Shared(
      lock.withLock {
        let status = madeStatus ?? ValueReference(SharedStatus())
        madeStatus = status
        return status
      })
  }
}
