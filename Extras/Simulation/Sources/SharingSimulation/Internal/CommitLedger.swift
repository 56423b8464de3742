import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// The actions that committed values must contain, in the order of their commits.
struct CommitLedger {
  /// The events that have led to each stored value.
  private(set) var entries: [KeyName: [Ledger.Entry]] = [:]
  private var clients: [Client] = []
  /// The number of times that everything was cleared.
  private var clearings = 0

  /// The changes of an action in one store.
  struct Step {
    let action: Ledger.Action
    let number: Int
    /// The changed values, and for numbers the added difference.
    let values: [KeyName: Int?]
    fileprivate let clearings: Int
    /// Whether it has to be stored in the end. A step of an ended tab need not be if no journal has
    /// it.
    fileprivate var mustBeStored = true
    /// Whether its journal has been cleared.
    fileprivate var mayLackJournal = false
  }

  /// One run of a program.
  private struct Client {
    let name: UTF8Text
    /// Its shown steps that are not stored.
    var pending: [Step] = []
    /// The value of the ledger's `clearings` when it was opened or when it last stored something.
    var clearings: Int
    /// The journals that it has written.
    var journals: [[UInt8]] = []
    /// The codings of its values.
    var codings: [KeyName: AnyStorageCoding] = [:]

    /// Ends the client: only the steps in its journal have to be stored.
    mutating func end(leaving journal: [UInt8]?) {
      let numbers = CommitLedger.numbers(in: journal, of: name)
      for index in pending.indices {
        pending[index].mustBeStored = numbers.contains(pending[index].number)
      }
    }

    /// Whether an entry is the merge of a journal of the client with the former value. Closures end
    /// with their tab, so their changes are merged.
    /// - Parameter coding: The coding of the value in the tab that has merged it.
    func isMerged(
      _ entry: CommitEntry, on before: StoredRevision, _ new: SimulatedCommit,
      _ coding: AnyStorageCoding?
    ) -> Bool {
      journals.contains { journal in
        guard let journal = WrittenJournal(of: name, journal),
          journal.numbers.max() == new.commit.through
        else { return false }
        return journal.entries(onto: before, after: new.after, coding).contains {
          $0.key == entry.key && $0.bytes == entry.bytes
        }
      }
    }
  }

  /// Returns the index of a client, which is added if it is new.
  private mutating func index(of name: UTF8Text) -> Int {
    if let index = clients.firstIndex(where: { $0.name == name }) { return index }
    clients.append(Client(name: name, clearings: clearings))
    return clients.count - 1
  }

  /// Starts to record a value.
  mutating func follow(_ name: KeyName) {
    if entries[name] == nil { entries[name] = [] }
  }

  /// Records that a tab is opened.
  mutating func open(_ progress: CommitProgress) {
    let client = index(of: progress.client)
    for value in progress.values { clients[client].codings[value.name] = value.coding }
  }

  /// Records an action of a tab.
  mutating func show(
    _ action: Ledger.Action, by client: UTF8Text, _ number: Int, _ values: [KeyName: Int?]
  ) {
    clients[index(of: client)].pending.append(
      Step(action: action, number: number, values: values, clearings: clearings))
  }

  /// Records a journal that a client has written.
  mutating func note(journal: [UInt8], of client: UTF8Text) {
    clients[index(of: client)].journals.append(journal)
  }

  /// Returns the first pending step of a client that its journal should contain and does not.
  func firstStep(of client: UTF8Text, missingIn journal: [UInt8]?) -> Step? {
    let numbers = Self.numbers(in: journal, of: client)
    let pending = clients.first { $0.name == client }?.pending ?? []
    return pending.first { !$0.mayLackJournal && !numbers.contains($0.number) }
  }

  /// Records the end of a tab.
  mutating func end(_ client: UTF8Text, leaving journal: [UInt8]?) {
    clients[index(of: client)].end(leaving: journal)
  }

  /// Records that all stored values and journals were removed.
  mutating func clear(running: [UTF8Text]) {
    clearings += 1
    for name in entries.keys { entries[name] = [.stored(nil)] }
    for index in clients.indices {
      for step in clients[index].pending.indices {
        clients[index].pending[step].mayLackJournal = true
      }
      if !running.contains(clients[index].name) { clients[index].end(leaving: nil) }
    }
  }

  /// Whether a value has not been stored since everything was cleared: tabs may still show it.
  func isCleared(_ name: KeyName) -> Bool { entries[name] == [.stored(nil)] }

  /// Records a stored commit.
  mutating func store(_ new: SimulatedCommit) {
    let client = index(of: new.commit.client)
    let steps = clients[client].pending.filter { $0.number <= new.commit.through }
    clients[client].pending.removeAll { $0.number <= new.commit.through }
    // The commit may contain values that were cleared before its client was notified.
    let isFromBeforeClearing = clients[client].clearings < clearings
    clients[client].clearings = clearings
    for (entry, before) in zip(new.commit.entries, new.before) where entries[entry.key] != nil {
      let own = steps.filter { $0.values[entry.key] != nil }
      if isFromBeforeClearing || own.contains(where: { $0.clearings < clearings }) {
        entries[entry.key] = [.stored(entry.bytes)]
      } else if new.sender.client != new.commit.client {
        let sender = clients.first { $0.name == new.sender.client }
        let isMerged = clients[client].isMerged(entry, on: before, new, sender?.codings[entry.key])
        let sum = own.reduce(.some(0)) { sum, step in
          step.values[entry.key]!.flatMap { added in sum.map { $0 + added } }
        }
        entries[entry.key]?.append(
          .recovered(own.map { $0.action }, entry.bytes, isMerged: isMerged, sum: sum))
      } else {
        entries[entry.key]? += own.map { .action($0.action) }
      }
    }
  }

  /// The earliest step that has to be stored and is not.
  var firstLost: Step? {
    clients.flatMap { $0.pending }.filter { $0.mustBeStored }.min {
      $0.action.shown < $1.action.shown
    }
  }

  private static func numbers(in journal: [UInt8]?, of client: UTF8Text) -> [Int] {
    journal.flatMap { WrittenJournal(of: client, $0) }?.numbers ?? []
  }
}

/// The value of each revision of each key, as a program shows it.
struct CommitHistory<Tab: SimulatedTab> {
  private var versions: [KeyName: [Int64: Version]] = [:]

  private struct Version {
    let bytes: [UInt8]?
    /// The value that the program of each tab shows.
    var values: [Int: any Equatable] = [:]
  }

  /// Records a stored revision.
  mutating func note(_ stored: StoredRevision) {
    versions[stored.key, default: [:]][stored.revision] = Version(bytes: stored.bytes)
  }

  /// Returns the value that the program of a tab shows for a revision; nil for an unknown revision.
  mutating func value(of name: KeyName, at revision: Int64, in tab: Int) -> (any Equatable)? {
    guard let version = versions[name]?[revision] else { return nil }
    if let value = version.values[tab] { return value }
    let origin = Origin([:])
    origin.database.set(name, to: version.bytes)
    let watched = RunningTab<Tab>(tab, over: origin, isAlone: true).watched
    guard let value = watched.first(where: { $0.name == name })?.value else { return nil }
    versions[name]?[revision]?.values[tab] = value
    return value
  }
}
