import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// One tab's access to the journals and copies of an origin, with faults.
final class TabJournals: SlotlessStore, ListedStore, @unchecked Sendable {
  private let journals: SimulatedJournals
  private let faults: TabFaults
  /// Delivers other tabs' writes of an item, as `storage` events.
  var connection: SimulatedConnection?
  private var isWriting = false
  /// Called with the journals that the tab writes.
  var onWrite: (KeyName, [UInt8]) -> Void = { _, _ in }
  /// The journals whose last write has failed.
  private(set) var missing: Set<KeyName> = []

  init(_ journals: SimulatedJournals, _ faults: TabFaults) {
    self.journals = journals
    self.faults = faults
  }

  func keys() -> [KeyName] { journals.names }

  func stamp(of key: KeyName) -> Int32 { 0 }

  func read(_ key: KeyName) -> [UInt8]? {
    let now = journals.store.bytes(for: key)
    guard key.isJournal, let former = journals.former(of: key, for: self), faults.readsOutdated()
    else { return now }
    return former
  }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    do throws(StorageError) {
      try fail(key, isWrite: bytes != nil)
    } catch {
      if key.isJournal, bytes != nil { missing.insert(key) }
      throw error
    }
    if let entry = key.journalEntry, bytes != nil {
      missing = missing.filter { $0.journalEntry.map { $0.number > entry.number } ?? false }
    }
    journals.replace(key, by: bytes, as: self)
    if let bytes, key.isJournal { onWrite(key, bytes) }
    isWriting = true
    if !key.isJournal { journals.hub.notify(key) }
    isWriting = false
    return 0
  }

  func follow(
    _ key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    journals.hub.subscribe(to: key) { [unowned self] in
      if !isWriting { connection?.receive(onChange) }
    }
  }

  private func fail(_ key: KeyName, isWrite: Bool) throws(StorageError) {
    switch faults.next(isWrite ? .write : .read) {
    case .quotaExceeded: throw .full(key)
    case .denied: throw .refused(key)
    case .torn: faults.die()
    default: break
    }
    if faults.isDead { throw .gone(key) }
  }
}
