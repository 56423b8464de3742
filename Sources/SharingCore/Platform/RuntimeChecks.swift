// What the library uses of the toolchain's runtime without a documented promise: each is checked at
// its first use, and has a fallback that is slower. Embedded Swift for wasm uses none of it.
#if !hasFeature(Embedded)
  import Observation
  import Synchronization

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Glibc)
    import Glibc
  #endif

  /// Whether the runtime does what the library uses of it without a documented promise.
  package enum RuntimeChecks {
    /// Whether the runtime answers on which executor the current thread runs. If not, the main
    /// actor's observers run at once on the main thread, and those of other actors always later.
    package static let answersExecutors: Bool = {
      // The two words of an executor are handed over as they are.
      guard MemoryLayout<UnownedSerialExecutor>.size == MemoryLayout<(UInt, UInt)>.size else {
        return false
      }
      let isOnFreshActor = runsOn(FreshActor())  // nothing has ever run on it
      return !isOnFreshActor && runsOn(MainActor.shared) == isMainThread
    }()

    /// Whether an observation registrar hashes the key path of a read if the read is tracked, and
    /// only then. If not, each value that is read has a registrar, which it tells of each change.
    package static let hashesTrackedReads: Bool = {
      let untracked = Probed()
      untracked.read()
      let tracked = Probed()
      withObservationTracking {
        tracked.read()
      } onChange: {
      }
      return !untracked.isHashed && tracked.isHashed
    }()

    /// Whether the current thread runs on an actor.
    static func isCurrent(_ actor: any Actor) -> Bool {
      if answersExecutors { return runsOn(actor) }
      return actor === MainActor.shared && isMainThread
    }

    private static func runsOn(_ actor: any Actor) -> Bool {
      let executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
      return isCurrentExecutor(executor.0, executor.1, 0)
    }

    private static var isMainThread: Bool {
      #if canImport(Darwin)
        pthread_main_np() != 0
      #elseif os(WASI)
        true
      #else
        getpid() == threadID()
      #endif
    }
  }

  /// Whether the current thread runs on an executor, without stopping where it does not: the
  /// standard library asks this in `assumeIsolated`, and has no public function that does. The two
  /// words are those of an `UnownedSerialExecutor`; flags of 0 forbid to stop.
  @_extern(c, "swift_task_isCurrentExecutorWithFlags")
  private func isCurrentExecutor(_ identity: UInt, _ kind: UInt, _ flags: UInt64) -> Bool

  #if !canImport(Darwin) && !os(WASI)
    /// The kernel's number of the current thread; that of the main thread is the process's. The C
    /// library has the function, its Swift module does not.
    @_extern(c, "gettid")
    private func threadID() -> Int32
  #endif

  /// An actor on which nothing runs.
  private actor FreshActor {}

  /// An object that knows whether the key path of a read of it has been hashed.
  private final class Probed: Observable, @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    private let hashes = Atomic(0)

    var isHashed: Bool { hashes.load(ordering: .relaxed) > 0 }

    func read() {
      registrar.access(self, keyPath: \Probed.[Probe(probed: self)])
    }

    subscript(probe: Probe) -> Void { () }

    struct Probe: Hashable {
      let probed: Probed

      static func == (left: Probe, right: Probe) -> Bool { left.probed === right.probed }

      func hash(into hasher: inout Hasher) {
        probed.hashes.add(1, ordering: .relaxed)
      }
    }
  }
#endif
