#if hasFeature(Embedded)
  /// Tells Swift's Observation of reads and changes of a root; Embedded Swift for wasm has none.
  struct ObservationBridge {
    func didRead(_ root: Root) {}
    func willChange(_ root: Root) {}
    func didChange(_ root: Root) {}
  }
#else
  import Observation
  import Synchronization

  /// Tells Swift's Observation of reads and changes of a root, so that `withObservationTracking` sees
  /// them.
  ///
  /// Nobody outside Observation can know whether a read is tracked, so every read is told to it: 26 ns
  /// on a machine where a lock and an unlock take 5. Changes are told once there has been a read.
  final class ObservationBridge: @unchecked Sendable {
    private let lock = Lock()
    /// Made with the first read; it does not change after that.
    private var registrar: ObservationRegistrar?
    private let hasBeenRead = Atomic(false)

    func didRead(_ root: Root) {
      if !hasBeenRead.load(ordering: .acquiring) { makeRegistrar() }
      registrar!.access(root, keyPath: \.observedValue)
    }

    func willChange(_ root: Root) {
      guard hasBeenRead.load(ordering: .acquiring) else { return }
      registrar!.willSet(root, keyPath: \.observedValue)
    }

    func didChange(_ root: Root) {
      guard hasBeenRead.load(ordering: .acquiring) else { return }
      registrar!.didSet(root, keyPath: \.observedValue)
    }

    private func makeRegistrar() {
      lock.withLock {
        if registrar == nil { registrar = ObservationRegistrar() }
        hasBeenRead.store(true, ordering: .releasing)
      }
    }
  }

  extension Root: Observable {
    /// Stands for the value in key paths; nothing reads it.
    fileprivate final var observedValue: Void { () }
  }

  extension Shared: Observable {}
  extension SharedReader: Observable {}
#endif
