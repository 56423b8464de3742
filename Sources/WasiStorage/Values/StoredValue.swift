import SharingCore

/// The connection of a value to its slot in a store: reads and decodes, encodes and writes.
///
/// Nothing is written unless it differs from what the store holds, nothing is handed over unless it
/// differs from what is last known, and nothing is overwritten that was never read.
package final class StoredValue: EncodedValue, Connection, @unchecked Sendable {
  let store: any KeyValueStore
  let slot: any StoreSlot
  private let keyLabel: KeyLabel
  private let following: StoreFollowing
  private let isDocument: Bool
  /// What puts saves off; nil where nothing does.
  let delay: (any SaveDelay)?

  /// What the store holds, as far as is known. Guarded by the lock, as what follows.
  private(set) var lastKnown = LastKnown.unknown
  /// What the value in memory comes from, while ``lastKnown`` is unknown.
  private(set) var origin = LastKnown.missing
  /// Whether the value in memory has a change that is not written.
  var isAhead = false
  /// The store's stamp of what is last known; 0 where there is none.
  private var stamp: Int32 = 0
  /// Whether this value is being written: what the store holds then is our own, old or new.
  private var isWriting = false
  /// Whether the store has told of a change meanwhile. The first may be our own; stamps tell.
  private var hasHeardChange = false
  /// Whether it has told of another one, or somebody wanted to look at it.
  private var hasMissedChange = false
  /// How often ``lastKnown`` was set: what was read before is out of date.
  private var version = 0
  /// Why the stored bytes, which are whole, must not be overwritten.
  private(set) var obstacle: StorageError?
  /// Stored bytes that do not decode and have no copy yet: nothing may overwrite them.
  var corrupt: [UInt8]?
  /// The value to tell of changes; nil while it does not follow the store.
  private var link: CellLink?
  private var subscription: SharedSubscription?

  init(_ key: StoredKeyOptions, _ coding: AnyStorageCoding) {
    store = key.store
    slot = key.store.slot(for: key.name)
    keyLabel = key.label
    following = key.following
    isDocument = key.isDocument
    delay = key.saving.delay
    super.init(key.name, coding)
  }

  package var label: UTF8Text { keyLabel.text(name) }

  package var canSave: Bool { true }

  // MARK: Loading

  package func load(_ request: LoadRequest) {
    delay?.flush()
    let version = lock.withLock { self.version }
    do throws(StorageError) {
      deliver(try read(version)) { request.answer($0) }
    } catch {
      request.answer(.failure(error))
    }
  }

  package func freshen(_ link: CellLink, _ reason: FreshenReason) {
    guard case .always = following else { return }
    if case .event = reason {} else if isStampLastKnown { return }
    do throws(StorageError) {
      guard let reading = try changedReading() else { return }
      if case .bytes(let bytes) = reading.lastKnown, !lock.withLock({ isAhead }),
        coding.deliverChanges(
          _StoredChanges(of: self, in: bytes, link) { self.accept(reading, isShown: true) })
      {
        return
      }
      deliver(reading) { outcome in
        if case .failure = outcome { return link.receive(outcome) }
        // First: what is put off has not failed any more then, so that it is told once what is
        // lost.
        let loss = delay?.giveUp(self, for: reading.lastKnown)
        guard let revision = link.receive(outcome) else { return nil }
        if let loss { link.receive(.failure(loss)) }
        return revision
      }
    } catch {
      link.receive(.failure(error))
    }
  }

  /// What was read, to become last known once it is taken over: until then it is new to everybody.
  struct Reading {
    let lastKnown: LastKnown
    let stamp: Int32
    fileprivate let version: Int
  }

  /// Hands over what was read. It is last known once it is taken over; observers run after that.
  private func deliver(_ reading: Reading, to receive: (Outcome) -> UInt32?) {
    batch {
      var json = EncodedJSON()
      var revision: UInt32?
      do throws(AnyError) {
        if case .bytes(let stored) = reading.lastKnown {
          try coding.read(stored, &json) { revision = receive(.value($0)) }
        } else {
          revision = receive(.nothing)
        }
      } catch {
        revision = receiveUndecodable(reading, error, receive)
      }
      guard let revision else { return }
      if json.ends != nil { keep(json, revision) }
      accept(reading, isShown: true)
    }
  }

  private func receiveUndecodable(
    _ reading: Reading, _ error: AnyError, _ receive: (Outcome) -> UInt32?
  ) -> UInt32? {
    let stored = reading.lastKnown.bytes ?? []
    if isDocument, stored.isEmpty { return receive(.nothing) }
    accept(reading, isShown: false)  // it is kept, and may be overwritten then
    return receive(.failure(undecodable(stored, error)))
  }

  /// Makes last known what was read and taken over, unless something else has been since.
  /// - Parameter isShown: Whether the value in memory is that of the bytes, with no change of its
  ///   own.
  func accept(_ reading: Reading, isShown: Bool) {
    lock.withLock {
      guard !isWriting, version == reading.version else { return }
      if isShown { isAhead = false }
      setLastKnown(reading.lastKnown, reading.stamp)
    }
  }

  /// Whether the store's stamp says that it holds what is last known.
  private var isStampLastKnown: Bool {
    let known = lock.withLock { stamp }
    return known != 0 && slot.stamp() == known
  }

  /// What the store holds, if it is something else than is last known; nil if it is not.
  private func changedReading() throws(StorageError) -> Reading? {
    while true {
      let version: Int? = lock.withLock {
        hasMissedChange = hasMissedChange || isWriting
        return isWriting ? nil : self.version
      }
      guard let version else { return nil }
      let reading = try read(version)
      if let isNew = lock.withLock({ isNew(reading) }) { return isNew ? reading : nil }
    }
  }

  /// The lock is held.
  /// - Returns: Nil when something became last known since, so that it has to be read again.
  private func isNew(_ reading: Reading) -> Bool? {
    if version != reading.version { return nil }
    // After a read that failed, the same as before it is nothing over which to lose a change.
    let known = lastKnown == .unknown && isAhead ? origin : lastKnown
    guard reading.lastKnown == known else { return true }
    setLastKnown(known, reading.stamp)
    return false
  }

  /// A store that cannot be read leaves nothing known of what it holds.
  /// - Parameter version: That of ``lastKnown``, as it was before.
  func read(_ version: Int) throws(StorageError) -> Reading {
    do throws(StorageError) {
      let (bytes, stamp) = try slot.read()
      return Reading(lastKnown: LastKnown(bytes), stamp: stamp, version: version)
    } catch {
      lock.withLock {
        if lastKnown != .unknown { (origin, lastKnown) = (lastKnown, .unknown) }
        stamp = 0
      }
      throw error
    }
  }

  // MARK: Following

  package func follow(_ link: CellLink) {
    guard case .always = following else { return }
    lock.withLock { self.link = link }
    let subscription = slot.subscribe { self.storeDidChange() }
    lock.withLock { self.subscription = subscription }
  }

  package func unfollow() {
    let subscription = lock.withLock {
      defer { (self.subscription, link) = (nil, nil) }
      return self.subscription
    }
    subscription?.cancel()
  }

  /// The store tells of a change. While this value is being written, the first is its own, and
  /// others are looked at afterwards.
  private func storeDidChange() {
    let isOfOthers = lock.withLock {
      guard isWriting else { return true }
      hasMissedChange = hasMissedChange || hasHeardChange
      hasHeardChange = true
      return false
    }
    if isOfOthers { look() }
  }

  /// Has the value take over what the store holds now.
  /// - Returns: Whether it could: it cannot while it has a change that was not handed to the key.
  @discardableResult
  func look() -> Bool {
    lock.withLock { link }?.whenSaved { freshen($0, .event) } ?? true
  }

  /// Whether the store is known to hold something that was not taken over.
  var hasChanged: Bool {
    do throws(StorageError) { return try changedReading() != nil } catch { return false }
  }
}

// MARK: What is last known

extension StoredValue {
  /// Calls `body`, which writes: what the store tells meanwhile is our own, or is looked at
  /// afterwards.
  func whileWriting<Output>(_ body: () -> Output) -> Output {
    lock.withLock { isWriting = true }
    let output = body()
    let (hasMissedChange, isInDoubt) = lock.withLock {
      let missed = (self.hasMissedChange, hasHeardChange && stamp != 0)
      (isWriting, hasHeardChange, self.hasMissedChange) = (false, false, false)
      return missed
    }
    if hasMissedChange || (isInDoubt && !isStampLastKnown) { look() }
    return output
  }

  /// Replaces what the store holds. It is last known before that: stores tell at once, and it must
  /// not come back as something new.
  func replace(_ former: LastKnown, by new: LastKnown, _ bytes: [UInt8]?) throws(StorageError) {
    lock.withLock { setLastKnown(new, 0) }
    do throws(StorageError) {
      let stamp = try slot.replace(by: bytes)
      lock.withLock { self.stamp = stamp }
    } catch {
      lock.withLock { setLastKnown(former, 0) }
      throw error
    }
  }

  /// The bytes that are stored are not those of the value in memory, and nothing is written over
  /// them. The lock is held.
  func protect(_ obstacle: StorageError) {
    (lastKnown, stamp) = (.unknown, 0)
    self.obstacle = obstacle
  }

  /// The lock is held.
  func setLastKnown(_ new: LastKnown, _ stamp: Int32) {
    if case .unknown = lastKnown {} else { origin = lastKnown }
    version += 1
    (lastKnown, self.stamp) = (new, stamp)
    obstacle = nil
    if let corrupt, new != .bytes(corrupt) { self.corrupt = nil }  // somebody has mended it
  }
}
