import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

// Committed values.
extension Run {
  /// Delivers a request of a tab to the database. Even tabs repeat a conflicting commit within the
  /// open transaction, odd ones after the answer.
  func arrive(_ tab: Int) throws(Problem) {
    let database = origin.database
    database.rebases = tab.isMultiple(of: 2)
    guard tabs.indices.contains(tab), tabs[tab] != nil else {
      return database.messages.deliver(.question, of: tab)
    }
    try turn(tab) { _ in database.messages.deliver(.question, of: tab) }
  }

  /// Records the changes of an action that have to be committed.
  /// - Parameter before: The progress of the tab's commits before the action.
  func note(_ action: Ledger.Action, _ before: [CommitProgress?], by tab: RunningTab) {
    for (index, after) in tab.progress.enumerated() {
      let first = (index < before.count ? before[index]?.openStep : nil) ?? 1
      for value in after?.values ?? [] {
        if let number = (value.steps + value.waiting).first(where: { $0 >= first }) {
          commitLedger.show(
            .init(action: action, number: number, key: value.name), by: after!.client)
        }
      }
    }
  }

  /// Checks that a tab's journal has its pending changes.
  func checkJournal(of tab: RunningTab) throws(Problem) {
    guard let program = tab.programs[0], tab.journals.missing.isEmpty,
      let step = commitLedger.firstStep(of: program, missingIn: journals(of: program))
    else { return }
    throw Problem(
      .unjournaled,
      "tab \(tab.number) has shown the effect of \(step.text), which is in no journal")
  }

  /// Returns the newest journals of a program.
  func journals(of program: UTF8Text) -> [WrittenJournal] {
    let clients = Set(origin.journals.names.compactMap { $0.journalEntry?.client })
    return clients.filter { $0.program == program }.compactMap { client in
      origin.journals.journal(of: client).flatMap { WrittenJournal(of: client, $0) }
    }
  }

  /// Checks that no stored commit has replaced a text that the release of its sender cannot read.
  func checkOverwrites() throws(Problem) {
    let commits = uncheckedCommits
    uncheckedCommits = []
    if simulation.releases.count == 1 { return }
    for commit in commits {
      let release = simulation.releases[commit.sender.release]
      for (entry, before) in zip(commit.commit.entries, commit.before) {
        guard let bytes = before.bytes, entry.bytes != bytes,
          !canRead(bytes, of: entry.key, release)
        else { continue }
        throw Problem(
          .overwritten,
          """
          tab \(commit.sender.owner) has overwritten \(UTF8Text(bytes)) under "\(entry.key)", \
          which its release cannot read
          """)
      }
    }
  }

  /// Whether a release can read a text under a key. It can if none of its values has the key.
  private func canRead(_ bytes: [UInt8], of key: KeyName, _ release: Release) -> Bool {
    let origin = Origin([:])
    origin.database.set(key, to: bytes)
    let tab = RunningTab(release, at: 0, over: origin, isAlone: true)
    return tab.watched.first { $0.name == key }?.base.loadError() == nil
  }
}

extension CommitLedger.Step {
  /// The action, in messages.
  var text: String { "\"\(action.name)\" \(action.number)" }
}
