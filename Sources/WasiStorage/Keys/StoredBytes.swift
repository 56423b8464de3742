import SharingCore

/// The bytes of one item in a store, and what was last seen of them.
///
/// What keys have in common, whatever the type of their value. Nothing is written unless it differs
/// from what the store holds, nothing is news unless it differs from what was last seen, and
/// nothing is overwritten that was never seen.
final class StoredBytes: @unchecked Sendable {
  let name: KeyName
  let store: any KeyValueStore
  let lock = Lock()
  private var seen = Seen.unknown
  /// What the value in memory comes from, while ``seen`` is unknown.
  private var origin = Seen.missing
  /// Whether the value in memory has a change that is not written.
  private var isAhead = false
  /// Whether this item is writing: what the store holds then is our own, old or new.
  private var isWriting = false
  /// How often this item has written: a read during which that changes may be out of date.
  private var writeCount = 0
  /// Why the stored bytes, which are whole, must not be overwritten.
  var obstacle: StorageError?
  /// Stored bytes that do not decode and have no copy yet: nothing may overwrite them.
  var damage: [UInt8]?

  /// What the item knows of the stored bytes.
  enum Seen: Equatable {
    /// Nothing, or no longer: the store could not be read.
    case unknown
    case missing
    case bytes([UInt8])

    init(_ bytes: [UInt8]?) {
      self = if let bytes { .bytes(bytes) } else { .missing }
    }

    /// Whether the bytes are the same, word by word: `==` of arrays goes byte by byte in wasm.
    static func == (left: Seen, right: Seen) -> Bool {
      switch (left, right) {
      case (.unknown, .unknown), (.missing, .missing): true
      case (.bytes(let left), .bytes(let right)): left.holdsSame(as: right)
      default: false
      }
    }
  }

  /// What puts saves off; nil where nothing does.
  let delay: SaveDelay?

  init(_ name: KeyName, in store: any KeyValueStore, _ timing: SaveTiming) {
    self.name = name
    self.store = store
    delay = timing.makeDelay?()
  }

  /// What the store holds now, nil where that is nothing.
  func load() throws(StorageError) -> [UInt8]? {
    delay?.flush()
    let bytes = try read()
    _ = lock.withLock { note(Seen(bytes)) }
    return bytes
  }

  /// What the store holds, if it is something else than was last seen; nil if it is not.
  func news() throws(StorageError) -> Seen? {
    guard let before = lock.withLock({ isWriting ? nil : writeCount }) else { return nil }
    let now = Seen(try read())
    let isNews = lock.withLock {
      guard !isWriting, writeCount == before else { return false }
      // After a read that failed, the same as before it is nothing over which to lose a change.
      if note(now) == now || (isAhead && now == origin) { return false }
      isAhead = false
      return true
    }
    return isNews ? now : nil
  }

  /// Calls `onChange` when others may have changed the item.
  func follow(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    let subscription = store.subscribe(to: name, onChange)
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
    lock.withLock { isAhead = true }
    if let delay {
      let save = PendingSave(bytes: self, encode: encode, continuation: continuation)
      return delay.save(save, now: context != .didSet)
    }
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
  private func read() throws(StorageError) -> [UInt8]? {
    do throws(StorageError) {
      return try store.bytes(for: name)
    } catch {
      lock.withLock {
        if seen != .unknown { (origin, seen) = (seen, .unknown) }
      }
      throw error
    }
  }

  /// The value to be saved knows nothing of what the store may hold by now: that must not be lost, and
  /// what was removed must not come back.
  private func makeSureThatNothingIsNew() throws(StorageError) {
    let now = Seen(try read())
    guard lock.withLock({ now == origin }) else {
      throw lock.withLock { obstacle } ?? unreadBefore
    }
    _ = lock.withLock { note(now) }
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
      if case .bytes(let bytes) = new {
        try store.set(bytes, for: name)
      } else {
        try store.remove(name)
      }
    } catch {
      _ = lock.withLock { note(before) }
      throw error
    }
  }

  /// The bytes that were just noted are not those of the value in memory, and nothing is written over
  /// them. The lock is held.
  func noteForeign(_ obstacle: StorageError) {
    seen = .unknown
    self.obstacle = obstacle
  }

  /// The lock is held.
  /// - Returns: What was noted before.
  func note(_ now: Seen) -> Seen {
    let before = seen
    if before != .unknown { origin = before }
    seen = now
    obstacle = nil
    if let damage, now != .bytes(damage) { self.damage = nil }  // somebody has mended it
    return before
  }
}
