import SharingCore

extension StoredBytes {
  /// Saves later, or now: for an item whose saves are put off.
  func save(_ save: PendingSave, now: Bool) {
    lock.withLock { isAhead = true }
    delay?.save(save, now: now)
  }

  /// Saves at once: for an item whose saves are not put off.
  func save(
    _ continuation: SaveContinuation, _ encode: () throws(StorageError) -> [UInt8]?
  ) {
    lock.withLock { isAhead = true }
    do throws(StorageError) {
      try whileWriting { () throws(StorageError) in try write(try encode()) }
      continuation.resume()
    } catch {
      continuation.resume(throwing: error)
    }
  }

  /// Calls `body`, which writes: what the store tells meanwhile is our own, or is looked at afterwards.
  func whileWriting<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    lock.withLock { isWriting = true }
    defer {
      let hasMissedChange = lock.withLock {
        defer { (isWriting, hasHeardOwnChange, self.hasMissedChange) = (false, false, false) }
        return self.hasMissedChange
      }
      if hasMissedChange { look() }
    }
    try body()
  }

  /// Writes bytes, or removes the item where there are none, unless the store holds just that.
  func write(_ bytes: [UInt8]?) throws(StorageError) {
    let new = Seen(bytes)
    if lock.withLock({ seen == .unknown }) { try makeSureThatNothingIsNew() }
    if lock.withLock({ seen != new }) {
      try setDamageAside()
      try replace(by: new)
    }
    lock.withLock { isAhead = false }
  }

  /// The value to be saved knows nothing of what the store may hold by now: that must not be lost, and
  /// what was removed must not come back.
  private func makeSureThatNothingIsNew() throws(StorageError) {
    let now = try read()
    guard lock.withLock({ now.seen == origin }) else {
      throw lock.withLock { obstacle } ?? unreadBefore
    }
    _ = lock.withLock { note(now.seen, now.stamp) }
  }

  private var unreadBefore: StorageError {
    StorageError(
      .other, key: name,
      """
      The store holds a value that could not be read before, and it is not overwritten. Load it, \
      or change the value again.
      """)
  }

  /// What is written is noted first: stores tell at once, and it must not come back as news.
  private func replace(by new: Seen) throws(StorageError) {
    let before = lock.withLock { note(new) }
    do throws(StorageError) {
      let stamp = try item.replace(by: new.bytes)
      lock.withLock { self.stamp = stamp }
    } catch {
      _ = lock.withLock { note(before) }
      throw error
    }
  }
}
