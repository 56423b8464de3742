import SharingCore

/// The bytes of one item in a store, and what was last seen of them.
///
/// What keys have in common, whatever the type of their value. Nothing is written unless it differs
/// from what the store holds, nothing is news unless it differs from what was last seen, and
/// nothing is overwritten that was never seen.
final class StoredBytes: @unchecked Sendable {
  let name: KeyName
  let store: any KeyValueStore
  private let item: any StoreItem
  let lock = Lock()
  private var seen = Seen.unknown
  /// What the value in memory comes from, while ``seen`` is unknown.
  private var origin = Seen.missing
  /// Whether the value in memory has a change that is not written.
  private var isAhead = false
  /// The store's stamp of what was last seen; 0 where there is none.
  private var stamp: Int32 = 0
  /// Whether this item is writing: what the store holds then is our own, old or new.
  private var isWriting = false
  /// How often this item has written: a read during which that changes may be out of date.
  private var writeCount = 0
  /// Why the stored bytes, which are whole, must not be overwritten.
  var obstacle: StorageError?
  /// Stored bytes that do not decode and have no copy yet: nothing may overwrite them.
  var damage: [UInt8]?

  /// What puts saves off; nil where nothing does.
  let delay: SaveDelay?

  init(_ name: KeyName, in store: any KeyValueStore, _ timing: SaveTiming) {
    self.name = name
    self.store = store
    item = store.item(for: name)
    delay = timing.makeDelay?()
  }

  /// What the store holds now, nil where that is nothing.
  func load() throws(StorageError) -> [UInt8]? {
    delay?.flush()
    let before = lock.withLock { writeCount }
    let now = try read()
    lock.withLock {
      if !isWriting, writeCount == before { _ = note(now.seen, now.stamp) }
    }
    return now.seen.bytes
  }

  /// Whether the store may hold something else than was last seen: false if its stamp says that it
  /// does not.
  var mayHaveNews: Bool {
    let seen = lock.withLock { stamp }
    return seen == 0 || item.stamp() != seen
  }

  /// What the store holds, if it is something else than was last seen; nil if it is not.
  func news() throws(StorageError) -> Seen? {
    guard let before = lock.withLock({ isWriting ? nil : writeCount }) else { return nil }
    guard mayHaveNews else { return nil }
    let now = try read()
    let isNews = lock.withLock {
      guard !isWriting, writeCount == before else { return false }
      // After a read that failed, the same as before it is nothing over which to lose a change.
      if note(now.seen, now.stamp) == now.seen || (isAhead && now.seen == origin) { return false }
      isAhead = false
      return true
    }
    return isNews ? now.seen : nil
  }

  /// Calls `onChange` when others may have changed the item.
  func follow(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    let subscription = item.subscribe {
      if !self.lock.withLock({ self.isWriting }) { onChange() }
    }
    guard let delay else { return subscription }
    delay.setRefresh(onChange)
    return SharedSubscription {
      delay.setRefresh(nil)
      subscription.cancel()
    }
  }

  /// Saves, at once unless it is put off.
  func save(
    _ context: SaveContext, _ continuation: SaveContinuation,
    _ encode: @escaping @Sendable () throws(StorageError) -> [UInt8]?
  ) {
    guard let delay else { return save(continuation, encode) }
    lock.withLock { isAhead = true }
    let save = PendingSave(bytes: self, encode: encode, continuation: continuation)
    delay.save(save, now: context != .didSet)
  }

  /// Saves at once: for an item whose saves are not put off.
  func save(
    _ continuation: SaveContinuation, _ encode: () throws(StorageError) -> [UInt8]?
  ) {
    lock.withLock { isAhead = true }
    do throws(StorageError) {
      try save(try encode())
      continuation.resume()
    } catch {
      continuation.resume(throwing: error)
    }
  }

  /// Writes bytes, or removes the item where there are none, unless the store holds just that.
  func save(_ bytes: [UInt8]?) throws(StorageError) {
    let new = Seen(bytes)
    if lock.withLock({ seen == .unknown }) { try makeSureThatNothingIsNew() }
    if lock.withLock({ seen != new }) {
      try setDamageAside()
      try write(new)
    }
    lock.withLock { isAhead = false }
  }
}

// MARK: The store

extension StoredBytes {
  /// A store that cannot be read leaves the item with no idea of what it holds.
  private func read() throws(StorageError) -> (seen: Seen, stamp: Int32) {
    do throws(StorageError) {
      let (bytes, stamp) = try item.read()
      return (Seen(bytes), stamp)
    } catch {
      lock.withLock {
        if seen != .unknown { (origin, seen) = (seen, .unknown) }
        self.stamp = 0
      }
      throw error
    }
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
  private func write(_ new: Seen) throws(StorageError) {
    let before = lock.withLock {
      isWriting = true
      writeCount += 1
      return note(new)
    }
    defer { lock.withLock { isWriting = false } }
    do throws(StorageError) {
      let stamp = try item.replace(by: new.bytes)
      lock.withLock { self.stamp = stamp }
    } catch {
      _ = lock.withLock { note(before) }
      throw error
    }
  }

  /// The bytes that were just noted are not those of the value in memory, and nothing is written over
  /// them. The lock is held.
  func noteForeign(_ obstacle: StorageError) {
    (seen, stamp) = (.unknown, 0)
    self.obstacle = obstacle
  }

  /// The lock is held.
  /// - Returns: What was noted before.
  func note(_ now: Seen, _ stamp: Int32 = 0) -> Seen {
    let before = seen
    if before != .unknown { origin = before }
    (seen, self.stamp) = (now, stamp)
    obstacle = nil
    if let damage, now != .bytes(damage) { self.damage = nil }  // somebody has mended it
    return before
  }
}
