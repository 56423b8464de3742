#if hasFeature(Embedded)
  /// Reports reads and changes of a cell to Swift's Observation; Embedded Swift for wasm has none.
  struct ObservationBridge {
    func didRead(_ cell: Cell) {}
    func willChange(_ cell: Cell) {}
    func didChange(_ cell: Cell) {}
  }
#else
  import Observation
  import Synchronization

  /// Reports reads and changes of a cell to Swift's Observation, for `withObservationTracking`.
  ///
  /// A report of a change takes longer than the change itself. So a cell has a registrar only from
  /// its first read on, and reads of the library's own observers do not count.
  struct ObservationBridge: ~Copyable {
    /// Retained; nil before the first read.
    private let registrar = Atomic<Unmanaged<Registrar>?>(nil)

    deinit {
      registrar.load(ordering: .acquiring)?.release()
    }

    func didRead(_ cell: Cell) {
      let registrar = registrar.load(ordering: .acquiring) ?? makeRegistrar()
      registrar._withUnsafeGuaranteedRef { $0.didRead(cell) }
    }

    func willChange(_ cell: Cell) {
      registrar.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.willChange(cell) }
    }

    func didChange(_ cell: Cell) {
      registrar.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.didChange(cell) }
    }

    /// Returns a new registrar, or that of a thread that was faster.
    private func makeRegistrar() -> Unmanaged<Registrar> {
      let made = Unmanaged.passRetained(Registrar())
      let (isNew, known) = registrar.compareExchange(
        expected: nil, desired: made, ordering: .acquiringAndReleasing)
      if isNew { return made }
      made.release()
      return known!
    }
  }

  private final class Registrar: Sendable {
    private let registrar = ObservationRegistrar()

    func didRead(_ cell: Cell) { registrar.access(cell, keyPath: \Cell.observedValue) }
    func willChange(_ cell: Cell) { registrar.willSet(cell, keyPath: \Cell.observedValue) }
    func didChange(_ cell: Cell) { registrar.didSet(cell, keyPath: \Cell.observedValue) }
  }

  extension Cell: Observable {
    /// Represents the value in a key path; never read.
    fileprivate final var observedValue: Void { () }
  }

  extension Shared: Observable {}
  extension SharedReader: Observable {}
#endif
