import SharingCore

/// The bytes of one item in a store, and what was last seen of them.
///
/// What keys have in common, whatever the type of their value. Nothing is written unless it differs
/// from what the store holds, nothing is news unless it differs from what was last seen, and
/// nothing is overwritten that was never seen.
final class StoredBytes: @unchecked Sendable {
  let name: KeyName
  let store: any KeyValueStore
  let item: any StoreItem
  let lock = Lock()
  var seen = Seen.unknown
  /// What the value in memory comes from, while ``seen`` is unknown.
  var origin = Seen.missing
  /// Whether the value in memory has a change that is not written.
  var isAhead = false
  /// The store's stamp of what was last seen; 0 where there is none.
  var stamp: Int32 = 0
  /// Whether this item is writing: what the store holds then is our own, old or new.
  var isWriting = false
  /// Whether the store has told of a change meanwhile: the first is our own.
  var hasHeardOwnChange = false
  /// Whether it has told of another one, or somebody wanted to look at it.
  var hasMissedChange = false
  /// How often something was noted: what was read before is out of date.
  private var noteCount = 0
  /// Tells that others may have changed the item; nil while nobody follows it.
  private var onChange: (@Sendable () -> Void)?
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

  /// What the store holds now.
  func load() throws(StorageError) -> Reading {
    delay?.flush()
    let before = lock.withLock { noteCount }
    let now = try read()
    return Reading(seen: now.seen, stamp: now.stamp, noteCount: before)
  }

  /// What was read, to be noted once it is taken over: until then it is new to everybody.
  struct Reading {
    let seen: Seen
    fileprivate let stamp: Int32
    fileprivate let noteCount: Int
  }

  /// Notes what was read and taken over, unless something else has been noted since.
  func accept(_ reading: Reading) {
    lock.withLock {
      guard !isWriting, noteCount == reading.noteCount else { return }
      isAhead = false
      _ = note(reading.seen, reading.stamp)
    }
  }

  /// Whether the store may hold something else than was last seen: false if its stamp says that it
  /// does not.
  var mayHaveNews: Bool {
    let seen = lock.withLock { stamp }
    return seen == 0 || item.stamp() != seen
  }

  /// What the store holds, if it is something else than was last seen; nil if it is not.
  func news() throws(StorageError) -> Reading? {
    while mayHaveNews {
      guard let before = noteCountUnlessWriting else { return nil }
      let now = try read()
      let reading = Reading(seen: now.seen, stamp: now.stamp, noteCount: before)
      if let answer = lock.withLock({ answer(to: reading) }) {
        return answer == .news ? reading : nil
      }
    }
    return nil
  }

  private enum Answer { case news, known }

  /// The lock is held.
  /// - Returns: Nil when something has been noted since, so that it has to be read again.
  private func answer(to reading: Reading) -> Answer? {
    if noteCount != reading.noteCount { return nil }
    // After a read that failed, the same as before it is nothing over which to lose a change.
    let known = seen == .unknown && isAhead ? origin : seen
    guard reading.seen == known else { return .news }
    _ = note(reading.seen, reading.stamp)
    return .known
  }

  /// Whether a change that the store tells of is not our own. While this item writes, it is looked at
  /// afterwards.
  private var isChangeOfOthers: Bool {
    lock.withLock {
      guard isWriting else { return true }
      hasMissedChange = hasMissedChange || hasHeardOwnChange
      hasHeardOwnChange = true
      return false
    }
  }

  private var noteCountUnlessWriting: Int? {
    lock.withLock {
      hasMissedChange = hasMissedChange || isWriting
      return isWriting ? nil : noteCount
    }
  }

  /// Calls `onChange` when others may have changed the item.
  func follow(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    lock.withLock { self.onChange = onChange }
    let subscription = item.subscribe { if self.isChangeOfOthers { onChange() } }
    return SharedSubscription {
      self.lock.withLock { self.onChange = nil }
      subscription.cancel()
    }
  }

  /// Has whoever follows the item look at the store.
  func look() {
    lock.withLock { onChange }?()
  }

  /// A store that cannot be read leaves the item with no idea of what it holds.
  func read() throws(StorageError) -> (seen: Seen, stamp: Int32) {
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
    noteCount += 1
    (seen, self.stamp) = (now, stamp)
    obstacle = nil
    if let damage, now != .bytes(damage) { self.damage = nil }  // somebody has mended it
    return before
  }
}
