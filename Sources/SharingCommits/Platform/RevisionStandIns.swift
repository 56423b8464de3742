import SharingCore
import WasiStorage

#if hasFeature(Embedded)
  /// No stand-ins: only native programs are simulated.
  enum RevisionStandIns {
    @inline(__always)
    static func standIn(for store: any RevisionStore) -> any RevisionStore { store }

    @inline(__always)
    static var currentJournals: (any ListedStore)? { nil }
  }
#else
  /// The stores that the keys of a simulated program use in place of all revision stores.
  package final class RevisionStandIns: @unchecked Sendable {
    fileprivate static let slot = SharingEnvironmentSlot { RevisionStandIns() }

    /// Returns the store to use in place of a revision store.
    package var standIn: (any RevisionStore) -> any RevisionStore = { $0 }
    /// The store of journals, also for engines.
    package var journals: (any ListedStore)?

    static func standIn(for store: any RevisionStore) -> any RevisionStore {
      SharingEnvironment.current.revisionStandIns.standIn(store)
    }

    static var currentJournals: (any ListedStore)? {
      SharingEnvironment.current.revisionStandIns.journals
    }
  }

  extension SharingEnvironment {
    package var revisionStandIns: RevisionStandIns { self[RevisionStandIns.slot] }
  }
#endif
