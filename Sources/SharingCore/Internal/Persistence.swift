/// What links a root to its key: an abstract class, since the root does not know the key's type.
class Persistence: @unchecked Sendable {
  /// Somebody who has asked for loading or saving, and hears the outcome once.
  typealias Completion = @Sendable (Result<Void, AnyError>) -> Void

  /// Closed until the value has been loaded for the first time.
  final let startGate = StartGate()
  private let lock = Lock()
  private var madeStatus: ValueReference<SharedStatus>?
  private var loadErrorTurn: UInt?
  /// Whether the value can be stored. Guarded by the root's lock, as what follows.
  final var isWritable = false
  final var isSaving = false
  final var requests: [Completion] = []
  final var changedElements = ChangedElements.unknown
  /// The revision of the value that a reset has made: for as long as it is the current one, nothing
  /// shall be stored.
  final var resetRevision: UInt32?

  /// Whether anything has been noted or read of loading and saving.
  final var hasStatus: Bool {
    lock.withLock { madeStatus != nil }
  }

  /// Whether `loadError` has been set in the turn under way: then nobody has had the time to see it.
  final var isLoadErrorNew: Bool {
    get { lock.withLock { loadErrorTurn == Turn.current.number } }
    set { lock.withLock { loadErrorTurn = newValue ? Turn.current.number : nil } }
  }

  /// What is known of loading and saving, made when first asked for.
  final var status: Shared<SharedStatus> {
    Shared(
      lock.withLock {
        if let madeStatus { return madeStatus }
        let status = ValueReference(SharedStatus())
        status.isStatus = true
        madeStatus = status
        return status
      })
  }

  /// Lets the key yield what its store holds now, if that is something new.
  func refresh(_ root: Root) { fatalError("refresh(_:) is overridden") }

  /// Loads because somebody asks for it; `done` hears the outcome once.
  func load(_ done: @escaping Completion) { fatalError("load(_:) is overridden") }

  /// Has the key store the value as it is; `done` hears the outcome once.
  func save(_ root: Root, _ request: SaveRequest, _ done: @escaping Completion) {
    fatalError("save(_:_:_:) is overridden")
  }

  /// Makes the value at an address the default.
  func restoreInitialValue(at address: UnsafeMutableRawPointer) {
    fatalError("restoreInitialValue(at:) is overridden")
  }

  /// The root goes: nothing must reach it from now on. Called from its `deinit`.
  func detach() { fatalError("detach() is overridden") }
}
