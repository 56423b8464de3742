import SharingCore
import SharingJSON

/// The connection of a value to its slot in a store: reads and decodes, encodes and writes.
///
/// Writes only bytes that differ from the stored ones, delivers only bytes that differ from the
/// last known ones, and never overwrites bytes that it has not read.
package final class StoredValue: Connection, @unchecked Sendable {
  let item: StoredItem
  /// Encodes the value in memory.
  let encoded: EncodedValue
  let slot: any StoreSlot
  /// Delays saves; nil for no delay.
  let delay: (any SaveDelay)?

  let lock = Lock()
  /// The known contents of the slot. Guarded by the lock, as the properties below.
  var known = KnownContents()
  /// The link to the value; nil while it does not follow the store.
  private var link: CellLink?
  private var subscription: SharedSubscription?

  init(_ item: StoredItem, _ coding: AnyStorageCoding) {
    self.item = item
    slot = item.store.slot(for: item.name)
    delay = item.saving.makeDelay?()
    encoded = EncodedValue(item.name, coding)
  }

  package var label: UTF8Text { item.label.text(name) }

  /// The id of its key.
  var id: StoredKeyID { StoredKeyID(of: item, version: coding.version) }

  var name: KeyName { encoded.name }

  var coding: AnyStorageCoding { encoded.coding }

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
    // A value that follows no changes is read until the first read succeeds.
    if case .never = item.following, lock.withLock({ known.wasRead }) { return }
    if case .event = reason {} else if isStampLastKnown { return }
    do throws(StorageError) {
      guard let reading = try changedReading() else { return }
      if case .bytes(let bytes) = reading.contents, !lock.withLock({ known.isAhead }),
        let update = encoded.prepareElements(of: bytes, for: link)
      {
        return batch {
          guard encoded.deliver(update, to: link) else { return }
          lock.withLock { known.accept(reading, isShown: true) }
        }
      }
      deliver(reading) { outcome in
        if case .failure = outcome { return link.receive(outcome) }
        // Clear the error of the pending save first, so the loss is reported once.
        let origin = lock.withLock { known.origin }
        let abandoned = delay?.abandon(for: reading.contents, from: origin)
        guard let revision = link.receive(outcome) else {
          if abandoned != nil { link.saveAgain() }
          return nil
        }
        if let loss = abandoned?.loss { link.receive(.failure(loss)) }
        return revision
      }
    } catch {
      link.receive(.failure(error))
    }
  }

  /// Delivers a reading. When the value has taken it over, records it as last known, before
  /// observers run.
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
      if json.ends != nil { encoded.keep(json, revision) }
      encoded.noteUnknownMembers(
        in: reading.contents.bytes ?? [], hasSome: json.mayHaveUnknownMembers)
      lock.withLock { known.accept(reading, isShown: true) }
    }
  }

  private func receiveUndecodable(
    _ reading: KnownContents.Reading, _ error: AnyError, _ receive: (Outcome) -> UInt32?
  ) -> UInt32? {
    if case .document = item.kind, reading.contents.bytes?.isEmpty ?? true {
      return receive(.nothing)
    }
    return receive(.failure(undecodable(reading, error)))
  }

  /// Whether the store's stamp shows that it holds the last known contents.
  private var isStampLastKnown: Bool {
    let stamp = lock.withLock { known.stamp }
    return stamp != 0 && slot.stamp() == stamp
  }

  /// Returns the contents of the store if they differ from the last known ones; nil otherwise.
  private func changedReading() throws(StorageError) -> KnownContents.Reading? {
    while let version = lock.withLock({ known.beginReading() }) {
      let reading = try read(version)
      if let isNew = lock.withLock({ known.isNew(reading) }) { return isNew ? reading : nil }
    }
    return nil
  }

  /// Reads the store. If that fails, forgets the last known contents.
  /// - Parameter version: The version of the last known contents before the read.
  func read(_ version: Int) throws(StorageError) -> KnownContents.Reading {
    do throws(StorageError) {
      let (bytes, stamp) = try slot.read()
      return (ItemContents(bytes), stamp, version)
    } catch {
      lock.withLock { known.forget() }
      throw error
    }
  }

  // MARK: Following

  package func follow(_ link: CellLink) {
    guard case .always = item.following else { return }
    lock.withLock { self.link = link }
    let subscription = slot.subscribe {
      if !self.lock.withLock({ self.known.isEcho() }) { self.readChanges() }
    }
    lock.withLock { self.subscription = subscription }
    // Others may have changed it since the load, unless that has failed.
    if hasThreads, lock.withLock({ known.contents != nil }), !isStampLastKnown { readChanges() }
  }

  package func unfollow(_ link: CellLink) {
    let subscription: SharedSubscription? = lock.withLock {
      guard self.link?.isSame(as: link) ?? false else { return nil }
      defer { (self.subscription, self.link) = (nil, nil) }
      return self.subscription
    }
    subscription?.cancel()
  }

  /// Reads the store and delivers a newer value.
  /// - Returns: Whether it could. It cannot while the value has an unsaved change, or while another
  ///   thread saves it.
  @discardableResult
  func readChanges() -> Bool {
    lock.withLock { link }?.whenSaved { freshen($0, .event) } ?? true
  }

  /// Whether the store holds contents that the value has not taken over; false if a read fails.
  var hasChanged: Bool {
    do throws(StorageError) { return try changedReading() != nil } catch { return false }
  }

  /// Calls `body`, which writes. A change that the store reports meanwhile is our own, or the store
  /// is read afterwards.
  func whileWriting<Output>(_ body: () -> Output) -> Output {
    lock.withLock { known.beginWriting() }
    let output = body()
    switch lock.withLock({ known.endWriting() }) {
    case .noChange: break
    case .oneChange: if !isStampLastKnown { readChanges() }
    case .more: readChanges()
    }
    return output
  }
}
