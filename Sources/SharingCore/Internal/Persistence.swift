/// What links a root to its key: an abstract class, since the root does not know the key's type.
class Persistence: @unchecked Sendable {
  private let gate = Lock()
  private let lock = Lock()
  private var starter: ObjectIdentifier?

  /// Runs the link's start. Other threads wait in ``awaitStart()`` until it is over, so that nobody
  /// takes the default for the stored value.
  final func starting<Output>(_ start: () -> Output) -> Output {
    gate.withLock {
      lock.withLock { starter = ObjectIdentifier(Turn.current) }
      defer { lock.withLock { starter = nil } }
      return start()
    }
  }

  /// Waits for the start, unless it is this thread that is at it.
  final func awaitStart() {
    let isMine = lock.withLock { starter == ObjectIdentifier(Turn.current) }
    if !isMine { gate.withLock {} }
  }

  /// Lets the key yield what its store holds now, if that is something new.
  func refresh() { fatalError("refresh() is overridden") }

  /// Loads because somebody asks for it; `done` hears the outcome once.
  func load(_ done: @escaping @Sendable (Result<Void, AnyError>) -> Void) {
    fatalError("load(_:) is overridden")
  }

  /// Makes the value at an address the default.
  func restoreInitialValue(at address: UnsafeMutableRawPointer) {
    fatalError("restoreInitialValue(at:) is overridden")
  }

  /// The root goes: nothing must reach it from now on. Called from its `deinit`.
  func detach(_ root: ObjectIdentifier) { fatalError("detach(_:) is overridden") }
}
