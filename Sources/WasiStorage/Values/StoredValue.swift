import SharingCore

/// The connection of a value to its slot in a store: reads and decodes, encodes and writes.
///
/// Nothing is written unless it differs from what the store holds, nothing is handed over unless it
/// differs from what is last known, and nothing is overwritten that was never read.
package final class StoredValue: EncodedValue, Connection, @unchecked Sendable {
  let key: StoredKeyID
  let slot: any StoreSlot
  /// What puts saves off; nil where nothing does.
  let delay: (any SaveDelay)?
  /// What tries saves again that have failed; nil where the next change does.
  let retries: RetriedSave?

  /// What is known of the slot. Guarded by the lock, as what follows.
  var known = KnownContents()
  /// The value to tell of changes; nil while it does not follow the store.
  private var link: CellLink?
  private var subscription: SharedSubscription?

  init(_ key: StoredKeyID, _ coding: AnyStorageCoding) {
    self.key = key
    slot = key.store.slot(for: key.name)
    delay = key.saving.makeDelay?()
    let stores = SharingEnvironment.current.stores
    retries = key.retries ? RetriedSave { stores.clockForKey } : nil
    super.init(key.name, coding)
  }

  package var label: UTF8Text { key.label.text(name) }

  // MARK: Loading

  package func load(_ request: LoadRequest) {
    delay?.flush()
    let version = lock.withLock { known.version }
    do throws(StorageError) {
      deliver(try read(version)) { request.answer($0) }
    } catch {
      request.answer(.failure(error))
    }
  }

  package func freshen(_ link: CellLink, _ reason: FreshenReason) {
    guard case .always = key.following else { return }
    if case .event = reason {} else if isStampLastKnown { return }
    do throws(StorageError) {
      guard let reading = try changedReading() else { return }
      if case .bytes(let bytes) = reading.contents, !lock.withLock({ known.isAhead }),
        coding.deliverChanges?(
          _StoredChanges(of: self, in: bytes, link) {
            self.lock.withLock { self.known.accept(reading, isShown: true) }
          }) == true
      {
        return
      }
      deliver(reading) { outcome in
        if case .failure = outcome { return link.receive(outcome) }
        // First: what is put off has not failed any more then, so that it is told once what is
        // lost.
        let source = lock.withLock { known.source }
        let givenUp = delay?.giveUp(self, for: reading.contents, from: source)
        guard let revision = link.receive(outcome) else {
          if givenUp != nil { link.saveAgain() }
          return nil
        }
        if let loss = givenUp?.loss { link.receive(.failure(loss)) }
        return revision
      }
    } catch {
      link.receive(.failure(error))
    }
  }

  /// Hands over what was read. It is last known once it is taken over; observers run after that.
  private func deliver(_ reading: KnownContents.Reading, to receive: (Outcome) -> UInt32?) {
    batch {
      var json = EncodedJSON()
      var revision: UInt32?
      do throws(AnyError) {
        if case .bytes(let stored) = reading.contents {
          try coding.read(stored, &json) { revision = receive(.value($0)) }
        } else {
          revision = receive(.nothing)
        }
      } catch {
        revision = receiveUndecodable(reading, error, receive)
      }
      guard let revision else { return }
      if json.ends != nil { keep(json, revision) }
      noteUnknownMembers(in: reading.contents.bytes ?? [], json)
      lock.withLock { known.accept(reading, isShown: true) }
    }
  }

  private func receiveUndecodable(
    _ reading: KnownContents.Reading, _ error: AnyError, _ receive: (Outcome) -> UInt32?
  ) -> UInt32? {
    let stored = reading.contents.bytes ?? []
    if key.isDocument, stored.isEmpty { return receive(.nothing) }
    // It is kept, and may be overwritten then.
    lock.withLock { known.accept(reading, isShown: false) }
    return receive(.failure(undecodable(stored, error)))
  }

  /// Whether the store's stamp says that it holds what is last known.
  private var isStampLastKnown: Bool {
    let stamp = lock.withLock { known.stamp }
    return stamp != 0 && slot.stamp() == stamp
  }

  /// What the store holds, if it is something else than is last known; nil if it is not.
  private func changedReading() throws(StorageError) -> KnownContents.Reading? {
    while let version = lock.withLock({ known.beginReading() }) {
      let reading = try read(version)
      if let isNew = lock.withLock({ known.isNew(reading) }) { return isNew ? reading : nil }
    }
    return nil
  }

  /// A store that cannot be read leaves nothing known of what it holds.
  /// - Parameter version: That of what is last known, as it was before.
  func read(_ version: Int) throws(StorageError) -> KnownContents.Reading {
    do throws(StorageError) {
      let (bytes, stamp) = try slot.read()
      return (LastKnown(bytes), stamp, version)
    } catch {
      lock.withLock { known.forget() }
      throw error
    }
  }

  // MARK: Following

  package func follow(_ link: CellLink) {
    guard case .always = key.following else { return }
    lock.withLock { self.link = link }
    let subscription = slot.subscribe {
      if !self.lock.withLock({ self.known.isEcho() }) { self.look() }
    }
    lock.withLock { self.subscription = subscription }
  }

  package func unfollow() {
    let subscription = lock.withLock {
      defer { (self.subscription, link) = (nil, nil) }
      return self.subscription
    }
    subscription?.cancel()
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

  /// Calls `body`, which writes: what the store tells meanwhile is our own, or is looked at
  /// afterwards.
  func whileWriting<Output>(_ body: () -> Output) -> Output {
    lock.withLock { known.beginWriting() }
    let output = body()
    switch lock.withLock({ known.endWriting() }) {
    case .nothing: break
    case .change: if !isStampLastKnown { look() }
    case .more: look()
    }
    return output
  }
}
