#if hasFeature(Embedded)
  /// Lets other threads wait until a key has been loaded for the first time; Embedded Swift for
  /// wasm has none.
  struct StartGate {
    func run<Output>(_ start: () -> Output) -> Output { start() }
    func wait() {}
  }
#else
  /// Lets other threads wait until a key has been loaded for the first time, so that nobody takes
  /// the default for the stored value.
  ///
  /// A key may ask for others while it loads. Where two threads load keys that ask for each other,
  /// one of them does not wait.
  final class StartGate: @unchecked Sendable {
    private let gate = Lock()
    private let lock = Lock()
    private var starter: UnsafeMutablePointer<Scheduler.State>?

    /// Guards the list of who waits for which gate.
    private static let queue = Lock()
    nonisolated(unsafe) private static var waiting:
      [(thread: UnsafeMutablePointer<Scheduler.State>, gate: StartGate)] =
        []

    /// Runs the start.
    func run<Output>(_ start: () -> Output) -> Output {
      gate.withLock {
        lock.withLock { starter = Scheduler.current.thread }
        defer { lock.withLock { starter = nil } }
        return start()
      }
    }

    /// Waits for the end of the start, unless that waits for this thread.
    func wait() {
      guard currentStarter != nil, enqueue(Scheduler.current.thread) else { return }
      gate.withLock {}
      Self.queue.withLock {
        Self.waiting.removeAll { $0.gate === self && $0.thread == Scheduler.current.thread }
      }
    }

    private var currentStarter: UnsafeMutablePointer<Scheduler.State>? { lock.withLock { starter } }

    /// - Returns: Whether the thread may wait.
    private func enqueue(_ thread: UnsafeMutablePointer<Scheduler.State>) -> Bool {
      Self.queue.withLock {
        var next = currentStarter
        while let starter = next {
          if starter == thread { return false }
          next = Self.waiting.first { $0.thread == starter }?.gate.currentStarter
        }
        Self.waiting.append((thread, self))
        return true
      }
    }
  }
#endif
