import SharingCore
import WasiStorage

#if hasFeature(Embedded)
  /// No replacements: only native programs are simulated.
  enum SimulatedStores {
    @inline(__always)
    static func replacement(for store: any RevisionStore) -> any RevisionStore { store }

    @inline(__always)
    static var currentJournals: (any ListedStore)? { nil }
  }
#else
  /// The stores that the keys of a simulated program use in place of all revision stores.
  package final class SimulatedStores: @unchecked Sendable {
    fileprivate static let slot = SharingEnvironmentSlot { SimulatedStores() }

    /// Returns the store to use in place of a revision store.
    package var replacement: (any RevisionStore) -> any RevisionStore = { $0 }
    /// The store of journals, also for engines.
    package var journals: (any ListedStore)?

    static func replacement(for store: any RevisionStore) -> any RevisionStore {
      SharingEnvironment.current.simulatedStores.replacement(store)
    }

    static var currentJournals: (any ListedStore)? {
      SharingEnvironment.current.simulatedStores.journals
    }
  }

  extension SharingEnvironment {
    package var simulatedStores: SimulatedStores { self[SimulatedStores.slot] }
  }
#endif
