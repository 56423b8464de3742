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
  /// The pause before a changed value is saved; nil for none.
  let pause: SavePause?

  let lock = Lock()
  /// The known contents of the slot. Guarded by the lock, as the properties below.
  var known = KnownContents()
  /// The stored contents that are being delivered.
  var arriving: ItemContents?
  /// The value; nil while it does not follow the store.
  private var follower: Receiver?
  private var subscription: SharedSubscription?

  init(_ item: StoredItem, _ coding: AnyStorageCoding) {
    self.item = item
    slot = item.store.slot(for: item.slotName)
    pause = item.saving.makePause?()
    encoded = EncodedValue(item.name, coding)
  }

  package var label: UTF8Text { item.label.text(name) }

  /// The id of its key.
  var id: KeyID { item.id(version: coding.version) }

  package var rules: PersistenceMachine.Rules {
    PersistenceMachine.Rules(hasPause: pause != nil)
  }

  package func startPause(isLongest: Bool, _ done: @escaping @Sendable () -> Void) -> Bool {
    pause?.start(isLongest: isLongest, done) ?? false
  }

  var name: KeyName { encoded.name }

  var coding: AnyStorageCoding { encoded.coding }

  // MARK: Loading

  package func load(_ receiver: Receiver, isFirst: Bool) {
    let version = lock.withLock { known.version }
    do throws(StorageError) {
      deliver(try read(version), to: receiver)
    } catch {
      receiver.receive(.failure(error))
    }
  }

  package func freshen(_ receiver: Receiver, _ reason: FreshenReason) {
    // A value that follows no changes is read until the first read succeeds.
    if case .never = item.following, lock.withLock({ known.wasRead }) { return }
    if case .event = reason {} else if isStampLastKnown { return }
    do throws(StorageError) {
      let isAhead = receiver.isAhead
      guard let reading = try changedReading(isAhead: isAhead) else { return }
      if case .bytes(let bytes) = reading.contents, !isAhead,
        let changeElements = encoded.prepareElements(of: bytes, for: receiver)
      {
        return batch { if changeElements() { lock.withLock { known.accept(reading) } } }
      }
      deliver(reading, to: receiver)
    } catch {
      receiver.receive(.failure(error))
    }
  }

  /// Delivers a reading. When the value has taken it over, records it as last known, before
  /// observers run.
  private func deliver(_ reading: KnownContents.Reading, to receiver: Receiver) {
    batch {
      lock.withLock { arriving = reading.contents }
      var json = _EncodedJSON()
      var revision: UInt32?
      do throws(AnyError) {
        if case .bytes(let stored) = reading.contents {
          try coding.read(stored, &json) { revision = receiver.receive(.value($0)) }
        } else {
          revision = receiver.receive(.nothing)
        }
      } catch {
        revision = receiveUndecodable(reading, error, receiver)
      }
      lock.withLock { arriving = nil }
      guard let revision else { return }
      if json.ends != nil { encoded.keep(json, revision) }
      encoded.noteUnknownMembers(
        in: reading.contents.bytes ?? [], hasSome: json.mayHaveUnknownMembers)
      lock.withLock { known.accept(reading) }
    }
  }

  private func receiveUndecodable(
    _ reading: KnownContents.Reading, _ error: AnyError, _ receiver: Receiver
  ) -> UInt32? {
    if case .document = item.kind, JSON.isEmpty(reading.contents.bytes ?? []) {
      return receiver.receive(.nothing)
    }
    return receiver.receive(.failure(undecodable(reading, error)))
  }

  /// Whether the store's stamp shows that it holds the last known contents.
  var isStampLastKnown: Bool {
    let stamp = lock.withLock { known.stamp }
    return stamp != 0 && slot.stamp() == stamp
  }

  /// Returns the contents of the store if they differ from the last known ones; nil otherwise.
  /// - Parameter isAhead: Whether the value in memory has an unwritten change.
  private func changedReading(
    isAhead: Bool
  ) throws(StorageError) -> KnownContents.Reading? {
    while let version = lock.withLock({ known.beginReading() }) {
      let reading = try read(version)
      if let isNew = lock.withLock({ known.isNew(reading, isAhead: isAhead) }) {
        return isNew ? reading : nil
      }
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

  package func follow(_ receiver: Receiver) {
    guard case .always = item.following else { return }
    lock.withLock { follower = receiver }
    let subscription = slot.subscribe {
      if !self.lock.withLock({ self.known.isEcho() }) { self.readChanges() }
    }
    lock.withLock { self.subscription = subscription }
    // Others may have changed it since the load, unless that has failed.
    if hasThreads, lock.withLock({ known.contents != nil }), !isStampLastKnown { readChanges() }
  }

  package func unfollow(_ receiver: Receiver) {
    let subscription: SharedSubscription? = lock.withLock {
      guard follower?.isSame(as: receiver) ?? false else { return nil }
      defer { (self.subscription, follower) = (nil, nil) }
      return self.subscription
    }
    subscription?.cancel()
  }

  /// Reads the store and delivers a newer value; after the save under way, if there is one.
  func readChanges() {
    let follower = lock.withLock { self.follower }
    if let receiver = follower?.readable() { freshen(receiver, .event) }
  }
}
