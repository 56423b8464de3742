import SharingCore

/// The committers of an environment, one for each store.
final class Committers: @unchecked Sendable {
  static let slot = SharingEnvironmentSlot { Committers() }

  private let lock = Lock()
  private var committers = ObjectList<Committer>()

  deinit {
    for index in 0..<committers.count { committers[index].end() }
    committers.free()
  }

  /// - Parameter journalScope: What its journals are called beside those of other stores.
  func committer(for store: any RevisionStore, _ journalScope: UTF8Text?) -> Committer {
    let stores = SharingEnvironment.current.stores
    return lock.withLock {
      for index in 0..<committers.count where committers[index].store === store {
        return committers[index]
      }
      let client = UTF8Text.randomName
      let journal = stores.journalStore(for: store, journalScope).map {
        Journal(in: $0, journalScope ?? "", of: client)
      }
      let committer = Committer(store, as: client, journal) { stores.clockForKey }
      committers.append(committer)
      return committer
    }
  }
}
