import SharingCore
import WasiStorage

/// The connection of a dictionary to the keys of a store that begin with a prefix.
final class EnginePrefixConnection<Element: Sendable>: Connection, @unchecked Sendable {
  private typealias Change = PrefixEntries<Element>.Change

  let label: UTF8Text
  private let prefix: KeyName
  private let store: any RevisionStore
  private let coding: StorageCoding<Element>

  private let lock = Lock()
  private var link: Receiver?
  private var subscription: SharedSubscription?
  private var isListing = false
  /// Whether all entries are known.
  private var isComplete = false
  /// The number of the current listing. Reports of earlier ones are ignored.
  private var listingNumber = 0
  /// The load requests that wait for the first report of all entries.
  private var requests: [Receiver] = []
  /// The changes that arrived before the first report of all entries.
  private var earlyChanges: [Change] = []

  /// Held during the delivery of a report, so that the next one comes after it. Not held while load
  /// requests are answered or closures of a subscriber run, since these may use the store again.
  private let deliveryLock = Lock()
  private var entries = PrefixEntries<Element>()

  init(
    _ prefix: KeyName, _ label: UTF8Text, _ store: any RevisionStore,
    _ coding: StorageCoding<Element>
  ) {
    self.prefix = prefix
    self.label = label
    self.store = store
    self.coding = coding
  }

  func load(_ request: Receiver, isFirst: Bool) {
    let isWaiting = lock.withLock {
      if !isComplete { requests.append(request) }
      return !isComplete
    }
    if isWaiting { return list() }
    let all = deliveryLock.withLock { entries.all }
    batch { answer([request], all) }
  }

  func freshen(_ link: Receiver, _ reason: FreshenReason) {}

  func save(_ value: ValueToSave, _ receiver: Receiver) { receiver.answer(nil) }

  func remove(_ value: ValueToSave, _ receiver: Receiver) { receiver.answer(nil) }

  func follow(_ link: Receiver) {
    let isBegun = lock.withLock {
      self.link = link
      return subscription != nil
    }
    if !isBegun { list() }
    // Deliver the changes since the load.
    batch {
      let delivery = deliveryLock.withLock {
        lock.withLock { isComplete } && entries.hasChanges ? entries.deliver(to: link) : nil
      }
      delivery?.finish()
    }
  }

  func endLoad() { unfollow() }

  func unfollow(_ link: Receiver) { unfollow() }

  /// Ends the listing.
  func unfollow() {
    var (ended, waiting): (SharedSubscription?, [Receiver]) = (nil, [])
    lock.withLock {
      link = nil
      (isListing, isComplete) = (false, false)
      listingNumber += 1
      swap(&ended, &subscription)
      swap(&waiting, &requests)
    }
    ended?.cancel()
    for request in waiting { request.receive(.failure(endedError)) }
  }

  private var endedError: StorageError {
    StorageError(.unavailable, key: prefix, "No reader of these keys is left.")
  }

  private func list() {
    var failed: SharedSubscription?
    let number = lock.withLock { () -> Int? in
      if isListing { return nil }
      isListing = true
      listingNumber += 1
      earlyChanges = []
      swap(&failed, &self.subscription)
      return listingNumber
    }
    guard let number else { return }
    failed?.cancel()
    let subscription = store.list(prefix: prefix) { self.receive($0, number) }
    let isWanted = lock.withLock {
      if listingNumber == number { self.subscription = subscription }
      return listingNumber == number
    }
    if !isWanted { subscription.cancel() }  // it ended during its first report
  }

  // MARK: Reports of the store

  private func receive(_ listing: RevisionListing, _ number: Int) {
    batch {
      switch listing {
      case .all(let stored): deliverAll(decode(stored), number)
      case .changed(let stored): deliver(decode(stored), number)
      case .failed(let error): fail(error.of(prefix), number)
      }
    }
  }

  private func deliverAll(_ changes: [Change], _ number: Int) {
    var requests: [Receiver] = []
    var (all, error): ([KeyName: Element], StorageError?) = ([:], nil)
    var delivery: Delivery?
    deliveryLock.withLock {
      guard lock.withLock({ listingNumber == number }) else { return }
      error = firstError(of: entries.replace(by: changes + lock.withLock { earlyChanges }))
      all = entries.all
      requests = takeRequests(number, isComplete: true)
      if requests.isEmpty, let link = lock.withLock({ link }) {
        delivery = entries.deliver(to: link)
      }
    }
    delivery?.finish()
    answer(requests, all)
    if let error { lock.withLock { link }?.receive(.failure(error)) }
  }

  private func answer(_ requests: [Receiver], _ entries: [KeyName: Element]) {
    for request in requests {
      var copy = entries
      withUnsafeMutablePointer(to: &copy) { _ = request.receive(.value($0)) }
    }
  }

  private func deliver(_ changes: [Change], _ number: Int) {
    var error: StorageError?
    var delivery: Delivery?
    deliveryLock.withLock {
      let isNext = lock.withLock {
        if listingNumber == number, !isComplete { earlyChanges += changes }
        return listingNumber == number && isComplete
      }
      let new = isNext ? entries.change(changes) : []
      if new.isEmpty { return }
      error = firstError(of: new)
      if let link = lock.withLock({ link }) { delivery = entries.deliver(to: link) }
    }
    delivery?.finish()
    if let error { lock.withLock { link }?.receive(.failure(error)) }
  }

  private func fail(_ error: StorageError, _ number: Int) {
    let isLate = lock.withLock {
      if !isComplete, listingNumber == number { isListing = false }  // the next load() asks again
      return listingNumber != number
    }
    if isLate { return }
    let requests = takeRequests(number, isComplete: false)
    for request in requests { request.receive(.failure(error)) }
    if requests.isEmpty { lock.withLock { link }?.receive(.failure(error)) }
  }

  /// Removes and returns the waiting load requests; none for an earlier listing.
  /// - Parameter isComplete: Whether all entries are known now.
  private func takeRequests(_ number: Int, isComplete: Bool) -> [Receiver] {
    lock.withLock {
      guard listingNumber == number else { return [] }
      if isComplete { (self.isComplete, earlyChanges) = (true, []) }
      defer { requests = [] }
      return requests
    }
  }

  /// Decodes stored values. No lock is held: a coding may use the prefix again (rule R7).
  private func decode(_ stored: [StoredRevision]) -> [Change] {
    var changes: [Change] = []
    for one in stored where !one.key.isCopy {
      var (element, failure): (Element?, StorageError?)
      do throws(AnyError) {
        element = try one.bytes.map { (bytes) throws(AnyError) in try coding.decode(bytes) }
      } catch {
        failure = StorageError.from(error, otherwise: .other).of(one.key)
      }
      let name = KeyName(bytes: Array(one.key.bytes.dropFirst(prefix.bytes.count)))
      changes.append(
        Change(name: name, revision: one.revision, element: element, error: failure))
    }
    return changes
  }

  private func firstError(of changes: [Change]) -> StorageError? {
    for change in changes { if let error = change.error { return error } }
    return nil
  }
}
