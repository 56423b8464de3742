#if hasFeature(Embedded)
  /// Makes other threads wait for the first load of a key; Embedded Swift for wasm has none.
  struct FirstLoadLock {
    func run<Output>(_ start: () -> Output) -> Output { start() }
    func wait(_ owner: CellPersistence) {}
  }
#else
  import Synchronization

  /// Makes other threads wait for the first load of a key, so that none takes the default for the
  /// stored value.
  ///
  /// A key may use other keys while it loads. If two threads load keys that use each other, one of
  /// them does not wait.
  struct FirstLoadLock: ~Copyable {
    private typealias Thread = UnsafeMutablePointer<Scheduler.State>

    private let lock = Lock()
    private let starter = Atomic<Thread?>(nil)

    /// Guards the list of waiting threads and the owners of their locks.
    private static let queue = Lock()
    nonisolated(unsafe) private static var waiting: [(thread: Thread, owner: CellPersistence)] = []

    /// Runs the first load.
    func run<Output>(_ start: () -> Output) -> Output {
      lock.withLock {
        starter.store(Scheduler.current.thread, ordering: .releasing)
        defer { starter.store(nil, ordering: .releasing) }
        return start()
      }
    }

    /// Waits for the end of the first load, unless that waits for this thread.
    /// - Parameter owner: The owner of this lock.
    func wait(_ owner: CellPersistence) {
      let thread = Scheduler.current.thread
      guard starter.load(ordering: .acquiring) != nil, enqueue(thread, owner) else { return }
      lock.withLock {}
      Self.queue.withLock { Self.waiting.removeAll { $0.owner === owner && $0.thread == thread } }
    }

    /// Adds the thread to the list, unless its wait would be a deadlock.
    /// - Returns: Whether the thread may wait.
    private func enqueue(_ thread: Thread, _ owner: CellPersistence) -> Bool {
      Self.queue.withLock {
        var next: CellPersistence? = owner
        while let starter = next?.firstLoadLock.starter.load(ordering: .acquiring) {
          if starter == thread { return false }
          next = Self.waiting.first { $0.thread == starter }?.owner
        }
        Self.waiting.append((thread, owner))
        return true
      }
    }
  }
#endif
