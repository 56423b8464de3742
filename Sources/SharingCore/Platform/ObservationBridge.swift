#if hasFeature(Embedded)
  /// Tells Swift's Observation of reads and changes of a root; Embedded Swift for wasm has none.
  struct ObservationBridge {
    func didRead(_ root: Root, in turn: Turn) {}
    func willChange(_ root: Root) {}
    func didChange(_ root: Root) {}
  }

  /// What a thread needs to tell Swift's Observation.
  struct ObservationSpare {}
#else
  import Observation
  import Synchronization

  /// Tells Swift's Observation of reads and changes of a root, so that `withObservationTracking` sees
  /// them.
  ///
  /// Only a root that has been read inside `withObservationTracking` has a registrar and tells it of
  /// changes, which takes longer than the change itself. Whether a read is tracked a registrar does
  /// not say; but it hashes the key path of a read that is, and so asks a ``Probe``. A read of a root
  /// without a registrar is told to the thread's spare one: if that is asked to track it, it is the
  /// root's from then on.
  struct ObservationBridge: ~Copyable {
    /// The address of a retained ``Registrar``; 0 where there is none.
    private let registrar = Atomic<UInt>(0)

    deinit {
      Unmanaged<Registrar>.fromBits(registrar.load(ordering: .acquiring))?.release()
    }

    @inline(__always)
    func didRead(_ root: Root, in turn: Turn) {
      if let own {
        own._withUnsafeGuaranteedRef { $0.didRead(root) }
      } else {
        // Other registrars hash the key path, too, and whenever they like.
        turn.observation.isTracked = false
        turn.observation.registrar._withUnsafeGuaranteedRef { $0.didRead(root) }
        if turn.observation.isTracked { adopt(root, in: turn) }
      }
    }

    @inline(__always)
    func willChange(_ root: Root) {
      own?._withUnsafeGuaranteedRef { $0.willChange(root) }
    }

    @inline(__always)
    func didChange(_ root: Root) {
      own?._withUnsafeGuaranteedRef { $0.didChange(root) }
    }

    @inline(__always)
    private var own: Unmanaged<Registrar>? {
      .fromBits(registrar.load(ordering: .acquiring))
    }

    /// Where another thread has been faster, the read is told to that one's registrar as well.
    @inline(never)
    private func adopt(_ root: Root, in turn: Turn) {
      let spare = Unmanaged.passRetained(turn.observation.take())
      let (isAdopted, known) = registrar.compareExchange(
        expected: 0, desired: UInt(bitPattern: spare.toOpaque()), ordering: .acquiringAndReleasing)
      guard !isAdopted else { return }
      spare.release()
      Unmanaged<Registrar>.fromBits(known)?._withUnsafeGuaranteedRef { $0.didRead(root) }
    }
  }

  /// A thread's registrar for reads of roots that have none.
  struct ObservationSpare: ~Copyable {
    /// Retained, and let go of by `deinit`: a read counts no reference.
    fileprivate private(set) var registrar = Unmanaged.passRetained(Registrar())
    /// Whether a key path has been hashed since this was false.
    fileprivate var isTracked = false

    deinit {
      registrar.release()
    }

    /// Hands over the registrar that has been told of a tracked read.
    fileprivate mutating func take() -> Registrar {
      let taken = registrar.takeUnretainedValue()
      self = ObservationSpare()
      return taken
    }
  }

  private final class Registrar: @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    /// Here, since a global would be asked each time whether it is set.
    private let value = Probe.keyPath

    func didRead(_ root: Root) { registrar.access(root, keyPath: value) }
    func willChange(_ root: Root) { registrar.willSet(root, keyPath: value) }
    func didChange(_ root: Root) { registrar.didSet(root, keyPath: value) }
  }

  /// A part of the key path that stands for a root's value: it notices that the path is hashed.
  private struct Probe: Hashable {
    nonisolated(unsafe) static let keyPath: KeyPath<Root, Void> = \Root.[Probe()]

    func hash(into hasher: inout Hasher) {
      Turn.current.observation.isTracked = true
    }
  }

  extension Unmanaged {
    fileprivate static func fromBits(_ bits: UInt) -> Unmanaged? {
      UnsafeRawPointer(bitPattern: bits).map { fromOpaque($0) }
    }
  }

  extension Root: Observable {
    /// Stands for the value in a key path; nothing reads it.
    fileprivate final subscript(probe: Probe) -> Void { () }
  }

  extension Shared: Observable {}
  extension SharedReader: Observable {}
#endif
