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

  /// The change of one value by an action.
  struct Step {
    let action: Ledger.Action
    let number: Int
    let key: KeyName
    /// The difference that it has added to a number; nil for another value.
    let sum: Int?
    var clearings = 0
    /// Whether it has to be stored in the end. A step of an ended tab need not be if no journal has
    /// it.
    var mustBeStored = true
    /// Whether its journal has been cleared.
    var mayLackJournal = false
  }

  /// One run of a program.
  private struct Client {
    let name: UTF8Text
    /// Its shown steps that are not stored.
    var pending: [Step] = []
    /// The value of the ledger's `clearings` when it was opened or when it last stored something.
    var clearings: Int
    /// The journals that it has written.
    var journals: [WrittenJournal] = []
    /// The codings of its values.
    var codings: [KeyName: AnyStorageCoding] = [:]

    /// Ends the client: only the steps in its journals have to be stored.
    mutating func end(leaving journals: [WrittenJournal]) {
      for index in pending.indices {
        pending[index].mustBeStored = journals.contains { $0.has(pending[index]) }
      }
    }

    /// Removes the steps of a key that a commit has stored. The steps of a key are stored in the
    /// order of their numbers, also if they have several clients.
    mutating func removeSteps(of key: KeyName, in commit: Commit) -> [Step] {
      let stored = pending.filter { $0.key == key && $0.number <= commit.through }
      pending.removeAll { $0.key == key && $0.number <= commit.through }
      return stored
    }

    /// Whether the changes of a client wait for another release.
    func waits(_ client: UTF8Text) -> Bool {
      journals.contains { $0.client == client && $0.waits }
    }

    /// Whether an entry is the merge of a journal of the client with the former value. Closures end
    /// with their tab, so their changes are merged.
    /// - Parameter coding: The coding of the value in the tab that has merged it.
    func isMerged(
      _ entry: CommitEntry, on before: StoredRevision, _ new: SimulatedCommit,
      _ coding: AnyStorageCoding?
    ) -> Bool {
      journals.contains { journal in
        guard journal.isCommitted(by: new.commit) else { return false }
        return journal.entries(onto: before, after: new.after, coding).contains {
          $0.key == entry.key && $0.bytes == entry.bytes
        }
      }
    }
  }

  /// Returns the index of a program, which is added if it is new.
  /// - Parameter client: The program's client, or one of its changes that wait.
  private mutating func index(of client: UTF8Text) -> Int {
    let name = client.program
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

  /// Records the change of a value by an action of a tab.
  mutating func show(_ step: Step, by client: UTF8Text) {
    var step = step
    step.clearings = clearings
    clients[index(of: client)].pending.append(step)
  }

  /// Records a journal that a client has written.
  mutating func note(_ journal: WrittenJournal) {
    clients[index(of: journal.client)].journals.append(journal)
  }

  /// Returns the first pending step of a client that its journals should contain and do not.
  func firstStep(of client: UTF8Text, missingIn journals: [WrittenJournal]) -> Step? {
    let pending = clients.first { $0.name == client }?.pending ?? []
    return pending.first { step in
      !step.mayLackJournal && !journals.contains { $0.has(step) }
    }
  }

  /// Records the end of a tab.
  mutating func end(_ client: UTF8Text, leaving journals: [WrittenJournal]) {
    clients[index(of: client)].end(leaving: journals)
  }

  /// Records that all stored values and journals were removed.
  mutating func clear(running: [UTF8Text]) {
    clearings += 1
    for name in entries.keys { entries[name] = [.stored(nil)] }
    for index in clients.indices {
      for step in clients[index].pending.indices {
        clients[index].pending[step].mayLackJournal = true
      }
      if !running.contains(clients[index].name) { clients[index].end(leaving: []) }
    }
  }

  /// Whether a value has not been stored since everything was cleared: tabs may still show it.
  func isCleared(_ name: KeyName) -> Bool { entries[name] == [.stored(nil)] }

  /// Records a stored commit.
  mutating func store(_ new: SimulatedCommit) {
    let client = index(of: new.commit.client)
    // Without closures, changes that wait are recovered also by their own program.
    let isOwn =
      new.sender.program == clients[client].name && !clients[client].waits(new.commit.client)
    // The commit may contain values that were cleared before its client was notified.
    let isFromBeforeClearing = clients[client].clearings < clearings
    clients[client].clearings = clearings
    for (entry, before) in zip(new.commit.entries, new.before) {
      let own = clients[client].removeSteps(of: entry.key, in: new.commit)
      if entries[entry.key] == nil { continue }
      if isFromBeforeClearing || own.contains(where: { $0.clearings < clearings }) {
        entries[entry.key] = [.stored(entry.bytes)]
      } else if !isOwn {
        let sender = clients.first { $0.name == new.sender.program }
        let isMerged = clients[client].isMerged(entry, on: before, new, sender?.codings[entry.key])
        let sum = own.reduce(.some(0)) { sum, step in
          step.sum.flatMap { added in sum.map { $0 + added } }
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
}

extension WrittenJournal {
  fileprivate func has(_ step: CommitLedger.Step) -> Bool {
    has(step.number, of: step.key)
  }

  /// Whether it may be the journal that a commit has stored.
  fileprivate func isCommitted(by commit: Commit) -> Bool {
    client == commit.client && lastStep == commit.through
  }
}
