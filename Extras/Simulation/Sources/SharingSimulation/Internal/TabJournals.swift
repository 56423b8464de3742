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
  var onWrite: (WrittenJournal) -> Void = { _ in }
  /// The journals whose last write has failed.
  private(set) var missing: Set<KeyName> = []

  init(_ journals: SimulatedJournals, _ faults: TabFaults) {
    self.journals = journals
    self.faults = faults
  }

  func keys() -> [KeyName] { journals.names }

  func stamp(of key: KeyName) -> Int32 { 0 }

  func read(_ key: KeyName) -> [UInt8]? {
    guard key.isJournal, let former = journals.former(of: key, for: self),
      (try? faults.check(.oldRead, key)) == .outdated
    else { return journals.store.bytes(for: key) }
    return former
  }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    do throws(StorageError) {
      try faults.check(bytes == nil ? .read : .write, key)
    } catch {
      if key.isJournal, bytes != nil { missing.insert(key) }
      throw error
    }
    journals.replace(key, by: bytes, as: self)
    if let bytes, let entry = key.journalEntry {
      missing = missing.filter { $0.journalEntry.map { $0.number > entry.number } ?? false }
      if let journal = WrittenJournal(of: entry.client, bytes) { onWrite(journal) }
    }
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
}
