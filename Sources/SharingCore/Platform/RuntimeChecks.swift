// What the library uses of the toolchain's runtime without a documented promise: each is checked at
// its first use, and has a fallback that is slower. Embedded Swift for wasm uses none of it.
#if !hasFeature(Embedded)
  import Observation
  import Synchronization

  #if canImport(Darwin)
    import Darwin
  #endif

  /// Whether the runtime does what the library uses of it without a documented promise.
  package enum RuntimeChecks {
    /// Whether the runtime answers on which executor the current thread runs. If not, observers of
    /// actors run later, also after changes that are made on their actor.
    package static let answersExecutors: Bool = {
      // The two words of an executor are handed over as they are.
      guard MemoryLayout<UnownedSerialExecutor>.size == MemoryLayout<(UInt, UInt)>.size else {
        return false
      }
      return !runsOn(FreshActor())  // nothing has ever run on it
    }()

    /// Whether an observation registrar hashes the key path of a read that is tracked. If not, each
    /// value that is read has a registrar, which it tells of each change.
    package static let hashesTrackedReads: Bool = {
      let probed = Probed()
      withObservationTracking({ probed.read() }, onChange: {})
      return probed.isHashed
    }()

    #if os(WASI)
      /// Returns true: there is one thread.
      static func isCurrent(_ actor: any Actor) -> Bool { true }
    #else
      /// Returns whether the current thread runs on an actor.
      static func isCurrent(_ actor: any Actor) -> Bool {
        answersExecutors && runsOn(actor)
      }
    #endif

    private static func runsOn(_ actor: any Actor) -> Bool {
      let executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
      return isCurrentExecutor(executor.0, executor.1, 0)
    }
  }

  /// Whether the current thread runs on an executor, without stopping where it does not: the
  /// standard library asks this in `assumeIsolated`, and has no public function that does. The two
  /// words are those of an `UnownedSerialExecutor`; flags of 0 forbid to stop.
  #if canImport(Darwin)
    private func isCurrentExecutor(_ identity: UInt, _ kind: UInt, _ flags: UInt64) -> Bool {
      askRuntime?(identity, kind, flags) ?? false
    }

    /// Looked up, since older systems do not have it.
    private let askRuntime = dlsym(
      UnsafeMutableRawPointer(bitPattern: -2), "swift_task_isCurrentExecutorWithFlags"
    ).map { unsafeBitCast($0, to: (@convention(c) (UInt, UInt, UInt64) -> Bool).self) }
  #elseif os(WASI)
    /// Returns true: in WebAssembly, the runtime's function has more parameters than C can declare,
    /// so a call would trap.
    private func isCurrentExecutor(_ identity: UInt, _ kind: UInt, _ flags: UInt64) -> Bool { true }
  #else
    // The runtime is that of the toolchain: without the function, the program would not link.
    @_extern(c, "swift_task_isCurrentExecutorWithFlags")
    private func isCurrentExecutor(_ identity: UInt, _ kind: UInt, _ flags: UInt64) -> Bool
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
