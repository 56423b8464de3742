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
    try turn(tab) { $0.receive(.question) }
  }

  /// Records the changes of an action that have to be committed.
  /// - Parameter before: The progress of the tab's commits before the action.
  func note(_ action: Ledger.Action, _ before: [CommitProgress?], by tab: RunningTab) {
    for (index, after) in tab.progress.enumerated() {
      let first = (index < before.count ? before[index]?.openStep : nil) ?? 1
      for value in after?.values ?? [] {
        guard let number = (value.steps + value.waiting).first(where: { $0 >= first })
        else { continue }
        let now = tab.watched.first { $0.name == value.name }?.value as? Int
        let sum = now.flatMap { now in (shown[action.shown][value.name] as? Int).map { now - $0 } }
        commitLedger.show(
          .init(action: action, number: number, key: value.name, sum: sum), by: after!.client)
      }
    }
  }

  /// Records a stored commit.
  func noteCommit(_ new: SimulatedCommit) {
    commitLedger.store(new)
    uncheckedCommits.append(new)
    for entry in new.commit.entries { commitHistory.note(origin.database.store.stored(entry.key)) }
  }

  /// Checks that a tab without pending changes shows the newest revision that it has received, that
  /// it never goes back to an older one, and that its journal has its pending changes.
  func checkCommits(of tab: RunningTab, _ number: Int) throws(Problem) {
    for (store, progress) in zip(tab.revisions, tab.progress) {
      if let progress, let (name, text) = store.valueThatGoesBack(in: progress) {
        throw Problem(.backwards, "in tab \(number), \"\(name)\" goes back \(text)")
      }
      for value in progress?.values ?? [] where value.status.pendingCount == 0 {
        try check(value, of: tab, number)
      }
    }
    guard let program = tab.journaledProgram, tab.journals.missing.isEmpty else { return }
    if let step = commitLedger.firstStep(of: program, missingIn: journals(of: program)) {
      throw Problem(
        .unjournaled, "tab \(number) has shown the effect of \(step.text), which is in no journal")
    }
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
    for commit in commits {
      for (entry, before) in zip(commit.commit.entries, commit.before) where before.bytes != nil {
        let release = releases[commit.sender.release]
        if entry.bytes == before.bytes { continue }
        guard let shown = commitHistory.shown(entry.key, at: before.revision, by: release),
          !shown.isReadable
        else { continue }
        throw Problem(
          .overwritten,
          """
          tab \(commit.sender.owner) has overwritten \(UTF8Text(before.bytes!)) under \
          "\(entry.key)", which its release cannot read
          """)
      }
    }
  }
}

extension Run {
  private func check(
    _ value: CommitProgress.Value, of tab: RunningTab, _ number: Int
  ) throws(Problem) {
    let revision = value.status.revision
    guard let watched = tab.watched.first(where: { $0.name == value.name }),
      !watched.reportsMismatch,
      let stored = commitHistory.shown(value.name, at: revision, by: tab.release)?.value,
      !areEqual(watched.value, stored)
    else { return }
    throw Problem(
      .diverged,
      """
      tab \(number) has revision \(revision) of "\(value.name)", which is \(stored), but shows \
      \(watched.value)
      """)
  }
}

extension CommitLedger.Step {
  /// The action, in messages.
  var text: String { "\"\(action.name)\" \(action.number)" }
}
