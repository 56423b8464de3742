// The scheduler of the current thread; the environment and the recorder of the current task.
#if !hasFeature(Embedded)
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
#endif

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
      // The upper quarter of the bits identifies the thread. With 64-bit words, the 65,537th one
      // has the numbers of the first.
      let thread = threads.add(1, ordering: .relaxed).newValue
      state.initialize(to: State(number: thread << (3 * UInt.bitWidth / 4) | 1))
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

#if hasFeature(Embedded)
  extension SharingEnvironment {
    /// The environment of the innermost `run`, nil outside of any.
    nonisolated(unsafe) static var scoped: SharingEnvironment?

    /// Calls `body` with `environment` as the innermost one.
    static func with(_ environment: SharingEnvironment, _ body: () -> Void) {
      let outer = scoped
      scoped = environment
      body()
      scoped = outer
    }
  }
#else
  extension SharingEnvironment {
    /// The innermost one that something runs in, or else that of the test that is running; nil
    /// outside of all.
    static var scoped: SharingEnvironment? { innermost ?? ofTest?() }

    @TaskLocal private static var innermost: SharingEnvironment?

    /// Returns the environment of the test that is running, or nil. SharingTesting sets it before
    /// `main`; in other programs it is nil.
    nonisolated(unsafe) package static var ofTest: (@Sendable () -> SharingEnvironment?)?

    /// Calls `body` with `environment` as the innermost one of this task and its child tasks.
    static func with(_ environment: SharingEnvironment, _ body: () -> Void) {
      $innermost.withValue(environment, operation: body)
    }

    /// Runs an asynchronous operation with this environment as ``current``; see the other `run`.
    nonisolated(nonsending) public func run<Output, Failure: Error>(
      _ operation: nonisolated(nonsending) () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
      var outcome: Result<Output, Failure>?
      await Self.$innermost.withValue(self) { outcome = await Result(of: operation) }
      return try outcome!.get()
    }
  }

  extension Result {
    /// Creates the outcome of an asynchronous operation.
    nonisolated(nonsending) init(
      of operation: nonisolated(nonsending) () async throws(Failure) -> Success
    ) async {
      do throws(Failure) {
        self = .success(try await operation())
      } catch {
        self = .failure(error)
      }
    }
  }
#endif

#if hasFeature(Embedded)
  extension ChangeRecorder {
    /// The recorder of changes, nil unless a tracked scope is open.
    nonisolated(unsafe) private(set) static var current: ChangeRecorder?

    /// Calls `body` with `recorder` as the current one.
    static func with(_ recorder: ChangeRecorder, _ body: () -> Void) {
      let outer = current
      current = recorder
      body()
      current = outer
    }
  }
#else
  extension ChangeRecorder {
    /// The recorder of this task's changes, nil unless a tracked scope is open.
    static var current: ChangeRecorder? {
      openScopes.load(ordering: .relaxed) == 0 ? nil : innermost
    }

    @TaskLocal private static var innermost: ChangeRecorder?

    /// The number of open tracked scopes in all tasks. It is 0 in every program that is not a test;
    /// a change then costs one load and not the read of a task-local value.
    private static let openScopes = Atomic(0)

    /// Calls `body` with `recorder` as the one of this task and its child tasks.
    static func with(_ recorder: ChangeRecorder, _ body: () -> Void) {
      openScopes.add(1, ordering: .relaxed)
      defer { openScopes.subtract(1, ordering: .relaxed) }
      $innermost.withValue(recorder, operation: body)
    }

    /// Calls `body` with `recorder`, or with none, for this task and its child tasks.
    nonisolated(nonsending) static func with(
      _ recorder: ChangeRecorder?, _ body: nonisolated(nonsending) () async -> Void
    ) async {
      openScopes.add(1, ordering: .relaxed)
      defer { openScopes.subtract(1, ordering: .relaxed) }
      await $innermost.withValue(recorder, operation: body)
    }
  }
#endif
