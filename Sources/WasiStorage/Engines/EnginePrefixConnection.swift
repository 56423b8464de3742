import SharingCore

/// The connection of a dictionary to the keys of a store that begin with a prefix.
final class EnginePrefixConnection<Element: Sendable>: Connection, @unchecked Sendable {
  typealias Entries = [KeyName: Element]

  let label: UTF8Text
  private let prefix: KeyName
  private let store: any RevisionStore
  private let coding: StorageCoding<Element>

  private let lock = Lock()
  private var link: CellLink?
  private var subscription: SharedSubscription?
  private var isListing = false
  /// Whether the entries are all there are.
  private var isComplete = false
  /// How often it has begun to list: what comes of an earlier time is late.
  private var listings = 0
  /// Who waits for the first listing.
  private var requests: [LoadRequest] = []

  /// Is held while a listing is handed over, so that the next one comes after it; not while those
  /// who wait are answered, who may ask again.
  private let handOverLock = Lock()
  private var revisions: [KeyName: Int64] = [:]
  /// The dictionary that is handed over next, once it has got the changes that it lacks. The cell
  /// swaps it for the one before, so that a change copies no other entry.
  private var entries: Entries = [:]
  private var lacking: [Change] = []
  private var lackingInCell: [Change] = []
  /// Whether the cell has got one of these dictionaries.
  private var isInCell = false

  private struct Change {
    let name: KeyName
    let element: Element?
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
    let entries = handOverLock.withLock {
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
  }

  func unfollow() {
    let subscription = lock.withLock {
      link = nil
      (isListing, isComplete) = (false, false)
      listings += 1
      defer { self.subscription = nil }
      return self.subscription
    }
    subscription?.cancel()
  }

  private func list() {
    let number: Int? = lock.withLock {
      if isListing { return nil }
      isListing = true
      listings += 1
      return listings
    }
    guard let number else { return }
    let subscription = store.list(prefix: prefix) { self.hear($0, number) }
    lock.withLock { self.subscription = subscription }
  }

  // MARK: What the store tells

  private func hear(_ listing: RevisionListing, _ number: Int) {
    batch {
      switch listing {
      case .all(let stored): handOverAll(stored, number)
      case .changed(let stored):
        handOverLock.withLock { if lock.withLock({ listings == number }) { handOver(stored) } }
      case .failed(let error): fail(error.of(prefix), number)
      }
    }
  }

  private func handOverAll(_ stored: [StoredRevision], _ number: Int) {
    var requests: [LoadRequest] = []
    var (all, error): (Entries, StorageError?) = ([:], nil)
    handOverLock.withLock {
      guard lock.withLock({ listings == number }) else { return }
      entries = [:]
      revisions = [:]
      lacking = []
      lackingInCell = []
      isInCell = false
      let changes: [Change]
      (changes, error) = read(stored)
      for change in changes { entries[change.name] = change.element }
      all = entries
      requests = takeRequests(number, isComplete: true)
      if requests.isEmpty, let link = lock.withLock({ link }) { giveCopy(to: link) }
    }
    answer(requests, all)
    if let error { lock.withLock { link }?.receive(.failure(error)) }
  }

  private func answer(_ requests: [LoadRequest], _ entries: Entries) {
    for request in requests {
      var copy = entries
      withUnsafeMutablePointer(to: &copy) { _ = request.answer(.value($0)) }
    }
  }

  private func handOver(_ stored: [StoredRevision]) {
    let (changes, error) = read(stored)
    if !changes.isEmpty {
      catchUp()
      for change in changes { entries[change.name] = change.element }
      lackingInCell += changes
      if let link = lock.withLock({ link }) { give(to: link) }
    }
    if let error { lock.withLock { link }?.receive(.failure(error)) }
  }

  private func give(to link: CellLink) {
    guard isInCell else { return giveCopy(to: link) }
    let isTaken = withUnsafeMutablePointer(to: &entries) { link.receive(.value($0)) != nil }
    if isTaken { swap(&lacking, &lackingInCell) }
  }

  private func giveCopy(to link: CellLink) {
    var copy = entries
    isInCell = withUnsafeMutablePointer(to: &copy) { link.receive(.value($0)) != nil }
    if isInCell { lackingInCell = [] }
  }

  private func fail(_ error: StorageError, _ number: Int) {
    let isLate = lock.withLock {
      if !isComplete, listings == number { isListing = false }  // the next load() asks again
      return listings != number
    }
    if isLate { return }
    let requests = takeRequests(number, isComplete: nil)
    for request in requests { request.answer(.failure(error)) }
    if requests.isEmpty { lock.withLock { link }?.receive(.failure(error)) }
  }

  /// - Returns: Who waits for a listing; nobody where that is late.
  private func takeRequests(_ number: Int, isComplete: Bool?) -> [LoadRequest] {
    lock.withLock {
      guard listings == number else { return [] }
      if let isComplete { self.isComplete = isComplete }
      defer { requests = [] }
      return requests
    }
  }

  private func catchUp() {
    for change in lacking { entries[change.name] = change.element }
    lacking = []
  }

  /// What is new, and why something of it cannot be shown.
  private func read(_ stored: [StoredRevision]) -> ([Change], StorageError?) {
    var changes: [Change] = []
    var firstError: StorageError?
    for one in stored where !one.key.isCopy && one.revision > revisions[one.key] ?? 0 {
      revisions[one.key] = one.revision
      var element: Element?
      do throws(AnyError) {
        element = try one.bytes.map { (bytes) throws(AnyError) in try coding.decode(bytes) }
      } catch {
        let error = StorageError.from(error, otherwise: .other).of(one.key)
        firstError = firstError ?? error
      }
      let name = KeyName(bytes: Array(one.key.bytes.dropFirst(prefix.bytes.count)))
      changes.append(Change(name: name, element: element))
    }
    return (changes, firstError)
  }
}
