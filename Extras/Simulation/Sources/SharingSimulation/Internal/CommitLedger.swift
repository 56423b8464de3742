import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// The actions that committed values must contain, in the order of their commits.
struct CommitLedger {
  /// Whether all tabs are of one release. Then the merge of a journal is as good as its actions.
  let hasOneRelease: Bool
  /// The events that have led to each stored value.
  private(set) var entries: [KeyName: [Ledger.Entry]] = [:]
  private var clients: [Client] = []

  init(hasOneRelease: Bool) {
    self.hasOneRelease = hasOneRelease
  }

  /// The change of one value by an action.
  struct Step {
    let action: Ledger.Action
    let number: Int
    let key: KeyName
    /// Whether everything was cleared since, also its journal.
    var isCleared = false
    /// Whether it has to be stored in the end. A step of an ended tab need not be if no journal has
    /// it.
    var mustBeStored = true
  }

  /// One run of a program.
  private struct Client {
    let name: UTF8Text
    /// Its shown steps that are not stored.
    var pending: [Step] = []
    /// Whether everything was cleared since it was opened or last stored something.
    var isCleared = false
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

    /// Whether an entry is the merge of a journal of the client with the former value. Closures end
    /// with their tab, so their changes are merged.
    /// - Parameter coding: The coding of the value in the tab that has merged it.
    func isMerged(
      _ entry: CommitEntry, on before: StoredRevision, _ new: SimulatedCommit,
      _ coding: AnyStorageCoding?
    ) -> Bool {
      journals.contains { journal in
        guard journal.client == new.commit.client, journal.lastStep == new.commit.through
        else { return false }
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
    clients.append(Client(name: name))
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
      !step.isCleared && !journals.contains { $0.has(step) }
    }
  }

  /// Records the end of a tab.
  mutating func end(_ client: UTF8Text, leaving journals: [WrittenJournal]) {
    clients[index(of: client)].end(leaving: journals)
  }

  /// Records that all stored values and journals were removed.
  mutating func clear(running: [UTF8Text?]) {
    for name in entries.keys { entries[name] = [.stored(nil)] }
    for index in clients.indices {
      clients[index].isCleared = true
      for step in clients[index].pending.indices { clients[index].pending[step].isCleared = true }
      if !running.contains(clients[index].name) { clients[index].end(leaving: []) }
    }
  }

  /// Whether a value has not been stored since everything was cleared: tabs may still show it.
  func isCleared(_ name: KeyName) -> Bool { entries[name] == [.stored(nil)] }

  /// Records a stored commit.
  mutating func store(_ new: SimulatedCommit) {
    let client = index(of: new.commit.client)
    let isOwn = new.sender.program == clients[client].name
    // The commit may contain values that were cleared before its client was notified.
    let isCleared = clients[client].isCleared
    clients[client].isCleared = false
    for (entry, before) in zip(new.commit.entries, new.before) {
      let own = clients[client].removeSteps(of: entry.key, in: new.commit)
      if entries[entry.key] == nil { continue }
      let coding = clients.first { $0.name == new.sender.program }?.codings[entry.key]
      if isCleared || own.contains(where: { $0.isCleared }) {
        entries[entry.key] = [.stored(entry.bytes)]
      } else if hasOneRelease, !isOwn, clients[client].isMerged(entry, on: before, new, coding) {
        entries[entry.key]?.append(.stored(entry.bytes))
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
}
