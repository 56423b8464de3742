import SharingCore
import SimulatedRevisions
import WasiStorage

/// Which actions must be found in committed values, in the order in which they were committed.
struct CommitLedger {
  /// What has led to each stored value.
  private(set) var entries: [KeyName: [Ledger.Entry]] = [:]
  private var clients: [Client] = []
  /// How often everything was cleared.
  private var clearings = 0

  /// What an action has changed in one store.
  struct Step {
    let action: Ledger.Action
    let number: Int
    /// What was changed, and what was added to it where it is a number.
    let values: [KeyName: Int?]
    fileprivate let clearings: Int
    /// Whether it has to be stored in the end: with a tab that is gone, what was in no journal is.
    fileprivate var isPromised = true
    /// Whether its journal has been cleared.
    fileprivate var mayLackJournal = false
  }

  /// One run of a program.
  private struct Client {
    let name: UTF8Text
    /// What it has shown that is not stored.
    var pending: [Step] = []
    /// How often everything had been cleared when it was opened, or has stored something last.
    var clearings: Int
    /// The journals that it has written.
    var journals: [[UInt8]] = []

    /// Only what is in its journal has to be stored.
    mutating func end(leaving journal: [UInt8]?) {
      let numbers = CommitLedger.numbers(in: journal, of: name)
      for index in pending.indices {
        pending[index].isPromised = numbers.contains(pending[index].number)
      }
    }

    /// Whether an entry is what a journal of the client makes of what was stored: closures end with
    /// their tab, and what they have changed merges.
    func isMerged(
      _ entry: CommitEntry, on before: StoredRevision, _ new: SimulatedCommit
    ) -> Bool {
      journals.contains { journal in
        guard let journal = WrittenJournal(of: name, journal),
          journal.numbers.max() == new.commit.through
        else { return false }
        return journal.entries(onto: before, after: new.after).contains {
          $0.key == entry.key && $0.bytes == entry.bytes
        }
      }
    }
  }

  /// Where a client is.
  private mutating func index(of name: UTF8Text) -> Int {
    if let index = clients.firstIndex(where: { $0.name == name }) { return index }
    clients.append(Client(name: name, clearings: clearings))
    return clients.count - 1
  }

  /// Follows a value.
  mutating func follow(_ name: KeyName) {
    if entries[name] == nil { entries[name] = [] }
  }

  /// A tab is opened.
  mutating func open(_ client: UTF8Text) { _ = index(of: client) }

  /// A tab has done something.
  mutating func show(
    _ action: Ledger.Action, by client: UTF8Text, _ number: Int, _ values: [KeyName: Int?]
  ) {
    clients[index(of: client)].pending.append(
      Step(action: action, number: number, values: values, clearings: clearings))
  }

  /// A client has written a journal.
  mutating func note(journal: [UInt8], of client: UTF8Text) {
    clients[index(of: client)].journals.append(journal)
  }

  /// The first step of a client that has to be stored and is in no journal.
  func firstStep(of client: UTF8Text, missingIn journal: [UInt8]?) -> Step? {
    let numbers = Self.numbers(in: journal, of: client)
    let pending = clients.first { $0.name == client }?.pending ?? []
    return pending.first { !$0.mayLackJournal && !numbers.contains($0.number) }
  }

  /// A tab is gone.
  mutating func end(_ client: UTF8Text, leaving journal: [UInt8]?) {
    clients[index(of: client)].end(leaving: journal)
  }

  /// Everything that was stored is gone, and with it the journals.
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

  /// A commit is stored.
  mutating func store(_ new: SimulatedCommit) {
    let client = index(of: new.commit.client)
    let steps = clients[client].pending.filter { $0.number <= new.commit.through }
    clients[client].pending.removeAll { $0.number <= new.commit.through }
    // It may have in it what was stored and cleared before its client has heard of it.
    let isOfBefore = clients[client].clearings < clearings
    clients[client].clearings = clearings
    for (entry, before) in zip(new.commit.entries, new.before) where entries[entry.key] != nil {
      let own = steps.filter { $0.values[entry.key] != nil }
      if isOfBefore || own.contains(where: { $0.clearings < clearings }) {
        entries[entry.key] = [.stored(entry.bytes)]
      } else if new.sender.client != new.commit.client {
        let isMerged = clients[client].isMerged(entry, on: before, new)
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

  /// A step that has to be stored and never was, the first one in time.
  var firstLost: Step? {
    clients.flatMap { $0.pending }.filter { $0.isPromised }.min {
      $0.action.shown < $1.action.shown
    }
  }

  private static func numbers(in journal: [UInt8]?, of client: UTF8Text) -> [Int] {
    journal.flatMap { WrittenJournal(of: client, $0) }?.numbers ?? []
  }
}
