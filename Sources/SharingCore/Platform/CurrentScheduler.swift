#if hasFeature(Embedded) || os(WASI) && !_runtime(_multithreaded)
  extension Scheduler {
    /// Whether there is only one thread.
    static var isOnly: Bool { true }

    /// The scheduler of the only thread.
    static var current: Scheduler {
      @inline(__always) get { withUnsafeMutablePointer(to: &only) { Scheduler($0) } }
    }

    @exclusivity(unchecked)
    nonisolated(unsafe) private static var only = State(number: 1)
  }
#else
  import Synchronization

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(WASILibc)
    import WASILibc
  #else
    import Glibc
  #endif

  extension Scheduler {
    /// Whether there is only one thread.
    static var isOnly: Bool { false }

    /// The scheduler of this thread. It is a thread-local, not a task-local value: a `Task` that an
    /// observer starts must not inherit the observer, and locks belong to threads.
    static var current: Scheduler {
      // Not a lazy constant, which would check at each access whether it is set.
      let key = key.load(ordering: .relaxed)
      // Not every system checks whether a key exists.
      if key != .max, let state = pthread_getspecific(key) {
        return Scheduler(state.assumingMemoryBound(to: State.self))
      }
      return makeCurrent()
    }

    /// The key of the thread-local value; the maximum, which is no key, until it is created.
    private static let key = Atomic<pthread_key_t>(.max)

    @inline(never)
    private static func makeCurrent() -> Scheduler {
      let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
      // The upper quarter of the bits identifies the thread.
      let thread = threads.add(1, ordering: .relaxed).newValue
      state.initialize(to: State(number: thread << (3 * UInt.bitWidth / 4)))
      pthread_setspecific(madeKey, state)
      return Scheduler(state)
    }

    private static let threads = Atomic<UInt>(0)

    private static let madeKey = {
      var key = pthread_key_t()
      let status = pthread_key_create(&key) { state in
        guard let state = state as UnsafeMutableRawPointer? else { return }
        let scheduler = state.assumingMemoryBound(to: State.self)
        scheduler.deinitialize(count: 1)
        scheduler.deallocate()
      }
      precondition(status == 0, "SharingCore could not create its thread-local key: \(status)")
      Self.key.store(key, ordering: .relaxed)
      return key
    }()
  }
#endif
