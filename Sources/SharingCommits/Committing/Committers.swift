import SharingCore
import WasiStorage

/// The committers of an environment: one for each store, and more if keys of one name have values
/// of two types or versions.
final class Committers: @unchecked Sendable {
  private let lock = Lock()
  private var committers: [Committer] = []

  deinit {
    for committer in committers { committer.end() }
  }

  /// Returns the committer of a store; nil if no key has used the store.
  func committer(of store: any RevisionStore) -> Committer? {
    lock.withLock { committers.first { $0.store === store } }
  }

  /// Returns the connection of a key. It is the same one while the program runs, since pending
  /// changes outlive the value. A key with another type or version has a committer of its own, as
  /// if another program used it.
  func value(
    of record: RevisionRecord, adopting old: AdoptedKey?, _ coding: AnyStorageCoding
  ) -> CommittedValue {
    let stores = SharingEnvironment.current.stores
    let store = SimulatedStores.replacement(for: record.store)
    return lock.withLock {
      for committer in committers where committer.store === store {
        if let value = committer.value(record, adopting: old, coding) { return value }
      }
      let client = UTF8Text.randomName
      let journal = stores.journalStore(for: store, record.journalScope).map {
        Journal(in: $0, record.journalScope ?? "", of: client, stores.appNameForKey)
      }
      let committer = Committer(store, as: client, journal, stores)
      committers.append(committer)
      return committer.value(record, adopting: old, coding)!
    }
  }
}

extension SharingEnvironment {
  var committers: Committers { object { Committers() } }
}
