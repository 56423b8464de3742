import SharingCore
import WasiStorage

/// Commits a program's changes to the keys of one revision store. One turn is one commit. Turns
/// that end during a request form the next commit (rule R27).
final class Committer: @unchecked Sendable {
  let store: any RevisionStore
  let lock = Lock()
  /// The number of the next steps that are complete. Guarded by the lock, as the properties below.
  var openStep = 1
  /// The turns that have changed or saved values and have not ended: of each thread at most one.
  var openTurns: [UInt] = []
  /// The number of the last stored step.
  var committedStep = 0
  /// Whether a step of this program is stored, or of a program that it recovered. Before that, a
  /// replaced change is not its loss.
  var hasStored = false
  var machine = CommitMachine()
  /// Changes by other programs that are not taken over yet.
  var heldChanges: [StoredRevision] = []
  var values: [CommittedValue] = []
  /// The last known lists of replaced values, to find new entries.
  var lists = CommitRecords()
  private var subscription: SharedSubscription?
  private var bell: SharedSubscription?
  var isWatching = false
  /// The journals of other programs that are not committed yet.
  var recovery = Recovery()
  /// The name under which steps are committed. Guarded by the lock.
  var client: UTF8Text
  /// Keeps steps beyond the program's end, for a store that answers later. This is the program's
  /// first journal; it also reads those of others, and keeps copies of stored values.
  let journal: Journal?
  /// The journal of the client. Guarded by the lock.
  var ownJournal: Journal?
  /// The journals of changes that wait for another release. Guarded by the lock.
  var waitingJournals: [Journal] = []
  /// The order of the steps in the journal. Guarded by the lock.
  var journalOrder = 0
  /// The number of the journal entry that is written last. Guarded by the lock.
  var entryNumber = 0
  /// The stores of the environment, with the clock of retries.
  let stores: DefaultStores
  /// Whether `tidy()` is scheduled. Guarded by the lock.
  var isTidying = false
  let retries: RetryTimer

  init(
    _ store: any RevisionStore, as client: UTF8Text, _ journal: Journal?, _ stores: DefaultStores
  ) {
    self.store = store
    self.client = client
    self.journal = journal
    ownJournal = journal
    self.stores = stores
    retries = RetryTimer { stores.clockForKey }
  }

  /// Returns the connection of a key, nil if it has one for another type or version of the value.
  func value(
    _ record: RevisionRecord, adopting old: AdoptedKey?, _ coding: AnyStorageCoding
  ) -> CommittedValue? {
    lock.withLock {
      if let value = value(named: record.name) {
        guard value.coding.valueType.isSame(as: coding.valueType),
          value.coding.version == coding.version
        else { return nil }
        // The value may have been made for a key without one, to read its `commitStatus`.
        if value.old == nil { value.old = old }
        return value
      }
      let value = CommittedValue(record.name, record.label, adopting: old, coding, self)
      values.append(value)
      return value
    }
  }

  /// Returns the value of a key, if there is one. The lock is held.
  func value(named name: KeyName) -> CommittedValue? {
    values.first { $0.name == name }
  }

  /// Watches for commits of other programs, from the first call on, and begins the recovery.
  func watch() {
    let isFirst = lock.withLock {
      defer { isWatching = true }
      return !isWatching
    }
    guard isFirst else { return }
    let subscription = store.watch { self.receive($0) }
    let bell = journal?.onBell { self.readAgain() }
    lock.withLock { (self.subscription, self.bell) = (subscription, bell) }
    advance()
  }

  /// Whether the store's last step of this client is already counted as stored. The lock is held.
  func knows(_ applied: Int?) -> Bool { applied ?? committedStep <= committedStep }

  /// Cancels the subscription and drops the values, at the environment's end.
  func end() {
    subscription?.cancel()
    bell?.cancel()
    lock.withLock { values = [] }
  }
}

extension UTF8Text {
  /// A random name, unique among clients.
  static var randomName: UTF8Text {
    "\(Int.random(in: 0 ... .max))-\(Int.random(in: 0 ... .max))"
  }
}
