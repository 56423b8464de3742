import SharingCore

// What the store tells.
extension EnginePrefixConnection {
  func hear(_ listing: RevisionListing, _ number: Int) {
    batch {
      switch listing {
      case .all(let stored): deliverAll(decode(stored), number)
      case .changed(let stored): deliver(decode(stored), number)
      case .failed(let error): fail(error.of(prefix), number)
      }
    }
  }

  private func deliverAll(_ changes: [Change], _ number: Int) {
    var requests: [LoadRequest] = []
    var (all, error): (Entries, StorageError?) = ([:], nil)
    deliveryLock.withLock {
      guard lock.withLock({ listings == number }) else { return }
      entries = [:]
      revisions = [:]
      lacking = []
      lackingInCell = []
      isInCell = false
      error = firstError(of: take(changes + lock.withLock { early }))
      all = entries
      requests = takeRequests(number, isComplete: true)
      if requests.isEmpty, let link = lock.withLock({ link }) { giveCopy(to: link) }
    }
    answer(requests, all)
    if let error { lock.withLock { link }?.receive(.failure(error)) }
  }

  func answer(_ requests: [LoadRequest], _ entries: Entries) {
    for request in requests {
      var copy = entries
      withUnsafeMutablePointer(to: &copy) { _ = request.answer(.value($0)) }
    }
  }

  private func deliver(_ changes: [Change], _ number: Int) {
    var error: StorageError?
    deliveryLock.withLock {
      let isNext = lock.withLock {
        if listings == number, !isComplete { early += changes }
        return listings == number && isComplete
      }
      let new = isNext ? take(changes) : []
      if new.isEmpty { return }
      lackingInCell += new
      error = firstError(of: new)
      if let link = lock.withLock({ link }) { give(to: link) }
    }
    if let error { lock.withLock { link }?.receive(.failure(error)) }
  }

  func give(to link: CellLink) {
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
      if let isComplete { (self.isComplete, early) = (isComplete, []) }
      defer { requests = [] }
      return requests
    }
  }

  func catchUp() {
    for change in lacking { entries[change.name] = change.element }
    lacking = []
  }

  /// Takes what nothing newer has come before. The lock for handing over is held.
  /// - Returns: That.
  private func take(_ changes: [Change]) -> [Change] {
    catchUp()
    var new: [Change] = []
    for change in changes where change.revision > revisions[change.name] ?? 0 {
      revisions[change.name] = change.revision
      entries[change.name] = change.element
      new.append(change)
    }
    return new
  }

  /// What was stored. No lock is held: a coding may ask for the prefix again (rule R7).
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
