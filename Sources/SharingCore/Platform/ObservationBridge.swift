#if hasFeature(Embedded)
  /// Reports reads and changes of a cell to Swift's Observation; Embedded Swift for wasm has none.
  struct ObservationBridge {
    func didRead(_ cell: Cell, in scheduler: Scheduler) {}
    func willChange(_ cell: Cell) {}
    func didChange(_ cell: Cell) {}
  }

  /// A thread's state for Swift's Observation.
  struct ObservationSpare {}
#else
  import Observation
  import Synchronization

  /// Reports reads and changes of a cell to Swift's Observation, for `withObservationTracking`.
  ///
  /// A report takes longer than the change itself, so only a cell that was read inside
  /// `withObservationTracking` has a registrar. A registrar has no function that returns whether a
  /// read is tracked. But it hashes the key path of a tracked read, and so calls a ``Probe``. A
  /// read of a cell without a registrar is reported to the thread's spare one. If that tracks the
  /// read, the cell adopts it.
  struct ObservationBridge: ~Copyable {
    /// Retained; nil if there is none.
    private let registrar = Atomic<Unmanaged<Registrar>?>(nil)

    deinit {
      registrar.load(ordering: .acquiring)?.release()
    }

    @inline(__always)
    func didRead(_ cell: Cell, in scheduler: Scheduler) {
      if let own = registrar.load(ordering: .acquiring) {
        own._withUnsafeGuaranteedRef { $0.didRead(cell) }
      } else {
        // Other registrars hash the key path, too, and whenever they like.
        scheduler.thread.pointee.observation.forgetReads()
        scheduler.thread.pointee.observation.registrar._withUnsafeGuaranteedRef { $0.didRead(cell) }
        if scheduler.thread.pointee.observation.isTracked { adopt(cell, in: scheduler) }
      }
    }

    @inline(__always)
    func willChange(_ cell: Cell) {
      registrar.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.willChange(cell) }
    }

    @inline(__always)
    func didChange(_ cell: Cell) {
      registrar.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.didChange(cell) }
    }

    /// Gives the cell the spare registrar. If another thread did so first, reports the read to that
    /// registrar as well.
    @inline(never)
    private func adopt(_ cell: Cell, in scheduler: Scheduler) {
      let spare = Unmanaged.passRetained(scheduler.thread.pointee.observation.take())
      let (isAdopted, known) = registrar.compareExchange(
        expected: nil, desired: spare, ordering: .acquiringAndReleasing)
      guard !isAdopted else { return }
      spare.release()
      known?._withUnsafeGuaranteedRef { $0.didRead(cell) }
    }
  }

  /// A thread's registrar for reads of cells without one.
  struct ObservationSpare: ~Copyable {
    /// Retained here, so that a read does not count references; `deinit` releases it.
    fileprivate private(set) var registrar = Unmanaged.passRetained(Registrar())
    /// Whether a key path has been hashed since reads were forgotten. If that does not show which
    /// reads are tracked, all may be.
    fileprivate var isTracked = false
    private let isUnknown = !RuntimeChecks.hashesTrackedReads

    deinit {
      registrar.release()
    }

    /// From now on, the next read counts.
    @inline(__always)
    fileprivate mutating func forgetReads() { isTracked = isUnknown }

    /// Hands over the registrar that has been told of a tracked read.
    fileprivate mutating func take() -> Registrar {
      let taken = registrar.takeUnretainedValue()
      self = ObservationSpare()
      return taken
    }
  }

  private final class Registrar: @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    /// Kept here: a global would check at each access whether it is set.
    private let value = Probe.keyPath

    func didRead(_ cell: Cell) { registrar.access(cell, keyPath: value) }
    func willChange(_ cell: Cell) { registrar.willSet(cell, keyPath: value) }
    func didChange(_ cell: Cell) { registrar.didSet(cell, keyPath: value) }
  }

  /// A part of the key path for a cell's value. It detects that the path is hashed.
  private struct Probe: Hashable {
    nonisolated(unsafe) static let keyPath: KeyPath<Cell, Void> = \Cell.[Probe()]

    func hash(into hasher: inout Hasher) {
      Scheduler.current.thread.pointee.observation.isTracked = true
    }
  }

  extension Cell: Observable {
    /// Represents the value in a key path; never read.
    fileprivate final subscript(probe: Probe) -> Void { () }
  }

  extension Shared: Observable {}
  extension SharedReader: Observable {}
#endif
