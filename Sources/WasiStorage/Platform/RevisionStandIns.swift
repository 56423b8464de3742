import SharingCore

#if hasFeature(Embedded)
  /// Only native programs are simulated.
  enum RevisionStandIns {
    @inline(__always)
    static func standIn(for store: any RevisionStore) -> any RevisionStore { store }

    @inline(__always)
    static var currentJournals: (any ListedStore)? { nil }
  }
#else
  /// What the keys of a simulated program use in place of every revision store.
  package final class RevisionStandIns: @unchecked Sendable {
    fileprivate static let slot = SharingEnvironmentSlot { RevisionStandIns() }

    /// Makes, or finds, the store that stands in for one.
    package var standIn: (any RevisionStore) -> any RevisionStore = { $0 }
    /// Where journals are kept, also those of engines.
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
