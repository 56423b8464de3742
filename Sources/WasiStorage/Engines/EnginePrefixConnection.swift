import SharingCore

/// The connection of a dictionary to the keys of a store that begin with a prefix.
final class EnginePrefixConnection<Element: Sendable>: Connection, @unchecked Sendable {
  typealias Entries = [KeyName: Element]

  let label: UTF8Text
  let prefix: KeyName
  private let store: any RevisionStore
  let coding: StorageCoding<Element>

  let lock = Lock()
  var link: CellLink?
  private var subscription: SharedSubscription?
  var isListing = false
  /// Whether the entries are all there are.
  var isComplete = false
  /// How often it has begun to list: what comes of an earlier time is late.
  var listings = 0
  /// Who waits for the first listing.
  var requests: [LoadRequest] = []
  /// What has changed while all was being told.
  var early: [Change] = []

  /// Is held while a listing is handed over, so that the next one comes after it; not while those
  /// who wait are answered, who may ask again.
  let deliveryLock = Lock()
  var revisions: [KeyName: Int64] = [:]
  /// The dictionary that is handed over next, once it has got the changes that it lacks. The cell
  /// swaps it for the one before, so that a change copies no other entry.
  var entries: Entries = [:]
  var lacking: [Change] = []
  var lackingInCell: [Change] = []
  /// Whether the cell has got one of these dictionaries.
  var isInCell = false

  struct Change {
    let name: KeyName
    let revision: Int64
    let element: Element?
    /// Why there is no element, where one is stored.
    let error: StorageError?
  }

  init(
    _ prefix: KeyName, _ label: UTF8Text, _ store: any RevisionStore,
    _ coding: StorageCoding<Element>
  ) {
    self.prefix = prefix
    self.label = label
    self.store = store
    self.coding = coding
  }

  var canSave: Bool { false }

  func load(_ request: LoadRequest) {
    let isWaiting = lock.withLock {
      if !isComplete { requests.append(request) }
      return !isComplete
    }
    if isWaiting { return list() }
    let entries = deliveryLock.withLock {
      catchUp()
      return self.entries
    }
    batch { answer([request], entries) }
  }

  func freshen(_ link: CellLink, _ reason: FreshenReason) {}

  func save(_ request: SaveRequest) -> SaveAnswer { .saved }

  func remove(_ request: SaveRequest) -> SaveAnswer { .saved }

  func follow(_ link: CellLink) {
    lock.withLock { self.link = link }
    list()
    // What has changed since it was loaded.
    batch {
      deliveryLock.withLock {
        if lock.withLock({ isComplete }), !lackingInCell.isEmpty { give(to: link) }
      }
    }
  }

  func endLoad() { unfollow() }

  func unfollow() {
    var (ended, waiting): (SharedSubscription?, [LoadRequest]) = (nil, [])
    lock.withLock {
      link = nil
      (isListing, isComplete) = (false, false)
      listings += 1
      swap(&ended, &subscription)
      swap(&waiting, &requests)
    }
    ended?.cancel()
    for request in waiting { request.answer(.failure(endedError)) }
  }

  private var endedError: StorageError {
    StorageError(.unavailable, key: prefix, "Nobody reads them any more.")
  }

  private func list() {
    var failed: SharedSubscription?
    let number = lock.withLock { () -> Int? in
      if isListing { return nil }
      isListing = true
      listings += 1
      early = []
      swap(&failed, &self.subscription)
      return listings
    }
    guard let number else { return }
    failed?.cancel()
    let subscription = store.list(prefix: prefix) { self.hear($0, number) }
    let isWanted = lock.withLock {
      if listings == number { self.subscription = subscription }
      return listings == number
    }
    if !isWanted { subscription.cancel() }  // it has ended while all was told
  }
}
