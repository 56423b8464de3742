/// A reference that owns its value: whatever its type, the lock, the observers and the persistence.
@usableFromInline
class Root: Reference, @unchecked Sendable {
  /// Guards the value and what is private here. Of foreign code, only `withLock`'s own closure runs
  /// under it, and what makes an element's `id`.
  final let lock = Lock()
  /// Where an element was found last, if the value is a collection: the next one is often there, or
  /// beside it. Guarded by the root's lock.
  final var lastFoundOffset: Int32 = 0
  /// How often the value has been changed or replaced.
  @exclusivity(unchecked)
  private final var revision: UInt32 = 0
  @exclusivity(unchecked)
  private final var isUnsaved = false
  /// Whether anybody has ever observed the value: only then a change asks the tree.
  @exclusivity(unchecked)
  private final var isObserved = false
  /// Whether the value tells of another one's loading and saving: that is no change of its own.
  final var isStatus = false
  /// Whether the value is that of a key: its default is kept, too.
  final let isKeyed: Bool
  /// What is observed of the value, retained by the root; guarded by the graph lock.
  @exclusivity(unchecked)
  final private(set) var tree: Unmanaged<PathNode>?
  /// The link to a key's store; set before the root is shared.
  @exclusivity(unchecked)
  final var persistence: Persistence?
  /// What Swift's Observation is told.
  final let observation = ObservationBridge()

  init(address: UnsafeMutableRawPointer, isKeyed: Bool) {
    self.isKeyed = isKeyed
    super.init(address: address, root: nil)
  }

  deinit {
    tree?.release()
  }

  /// Swaps the value for the one at an address. The root's lock is held.
  func swapValue(with other: UnsafeMutableRawPointer) {
    fatalError("swapValue(with:) is overridden")
  }

  /// Calls `body` with the address of a default to swap the value for, valid during the call. Only a
  /// value with a key has one.
  func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    fatalError("withInitialValue(_:) is overridden")
  }

  /// A root of its own with a copy of the value, and how many bytes the value has in place.
  func copy() -> (root: Root, byteCount: Int) { fatalError("copy() is overridden") }

  @usableFromInline
  override final func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    switch access {
    case .reading: lock.withLock { body(address!) }
    case .changing: body(address!)
    }
  }
}

// MARK: Changing

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
      guard !isUnsaved, version == nil || version == .revision(revision) else { return false }
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
    /// A mutation had still to be saved.
    case unsaved
  }

  /// What the value is now.
  final var version: Version {
    lock.withLock { isUnsaved ? .unsaved : .revision(revision) }
  }
}

// MARK: Saving

extension Root {
  /// Lets the key bring what its store holds now.
  @inline(never)
  private final func refresh() {
    persistence?.refresh(self)
  }

  /// Has the value saved when the turn ends. The root's lock is held.
  @inline(never)
  private final func markUnsaved(_ part: Reference, in turn: Turn) {
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

// MARK: Observation

extension Root {
  /// Comes before the graph lock is taken and the value is read, so that no change is missed.
  final func willBeObserved() {
    lock.withLock { isObserved = true }
  }

  /// The node of the whole value. The graph lock is held.
  final func observedTree() -> PathNode {
    if let tree { return tree.takeUnretainedValue() }
    let made = PathNode(.whole, of: nil)
    tree = .passRetained(made)
    return made
  }
}
