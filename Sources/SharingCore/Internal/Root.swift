/// A reference that owns its value: whatever its type, the lock, the observers and the persistence.
class Root: Reference, @unchecked Sendable {
  /// Where the value is; a subclass allocates, types and frees it.
  final let address: UnsafeMutableRawPointer
  /// Guards the value; not held while foreign code runs, except `withLock`'s own closure.
  final let lock = Lock()
  /// What is observed of the value; guarded by the graph lock.
  final private(set) var tree: PathNode?
  /// The link to a key's store; set before the root is shared.
  final var persistence: Persistence?

  /// Whether anybody has ever observed the value: only then a change asks the tree. Guarded by the
  /// root's lock.
  final private(set) var isObserved = false
  private final var isUnsaved = false
  private final var madeStatus: ValueReference<SharedStatus>?

  init(address: UnsafeMutableRawPointer) {
    self.address = address
    super.init(part: .whole, of: nil)
  }

  /// Whether the value can be stored.
  var isWritable: Bool { fatalError("isWritable is overridden") }

  /// Has the key store the value as it is; `done` hears the outcome once.
  func save(_ context: SaveContext, _ done: @escaping @Sendable (Result<Void, AnyError>) -> Void) {
    fatalError("save(_:_:) is overridden")
  }

  override final func withAddress(_ access: Access, _ body: (UnsafeMutableRawPointer) -> Void) {
    switch access {
    case .reading: lock.withLock { body(address) }
    case .changing: body(address)
    }
  }

  /// Lets `body` change a part of the value while nobody else reads or changes any of it, and wakes
  /// who observes the part.
  final func change(
    _ part: Reference, at site: CallSite, in turn: Turn, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    turn.beginMutation(of: self, at: site)
    lock.withLock {
      part.withAddress(.changing, body)
      part.wakeObservers(in: turn)
    }
    turn.endMutation()
  }
}

// MARK: Persistence

extension Root {
  /// Lets the key look at its store before a mutation (rule R13), unless a mutation of this turn
  /// still has to be written.
  final func refresh(in turn: Turn) {
    guard let persistence else { return }
    var isUnsaved = false
    lock.withLock { isUnsaved = self.isUnsaved }
    if !isUnsaved { persistence.refresh() }
  }

  /// Has the value saved once when the turn ends (rule R12).
  final func saveLater(in turn: Turn) {
    guard persistence != nil, isWritable else { return }
    var wasUnsaved = false
    lock.withLock {
      wasUnsaved = isUnsaved
      isUnsaved = true
    }
    if !wasUnsaved { turn.saveLater(self) }
  }

  /// Saves what was changed since the last save.
  final func saveChanges(in turn: Turn) {
    lock.withLock { isUnsaved = false }
    save(.didSet) { _ in }
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
    var result = false
    lock.withLock { result = madeStatus != nil }
    return result
  }

  /// What is known of loading and saving, made when first asked for.
  final var status: Shared<SharedStatus> {
    var status: ValueReference<SharedStatus>?
    lock.withLock {
      status = madeStatus ?? ValueReference(SharedStatus())
      madeStatus = status
    }
    return Shared(status!)
  }
}
