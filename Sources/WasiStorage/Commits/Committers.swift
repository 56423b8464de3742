import SharingCore

/// The committers of an environment, one for each store.
final class Committers: @unchecked Sendable {
  static let slot = SharingEnvironmentSlot { Committers() }

  private let lock = Lock()
  private var committers: [Committer] = []

  deinit {
    for committer in committers { committer.end() }
  }

  /// Returns the committer of a store; nil if no key has used the store.
  func committer(of store: any RevisionStore) -> Committer? {
    lock.withLock { known(store) }
  }

  /// The lock is held.
  private func known(_ store: any RevisionStore) -> Committer? {
    committers.first { $0.store === store }
  }

  /// - Parameter journalScope: The part of the journals' names that stands for this store.
  func committer(for store: any RevisionStore, _ journalScope: UTF8Text?) -> Committer {
    let stores = SharingEnvironment.current.stores
    let store = RevisionStandIns.standIn(for: store)
    return lock.withLock {
      if let known = known(store) { return known }
      let client = UTF8Text.randomName
      let journal = stores.journalStore(for: store, journalScope).map {
        Journal(in: $0, journalScope ?? "", of: client, stores.appNameForKey)
      }
      let committer = Committer(store, as: client, journal) { stores.clockForKey }
      committers.append(committer)
      return committer
    }
  }
}
