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
  func note(_ action: Ledger.Action, _ before: [CommitProgress?], by tab: RunningTab<Tab>) {
    var sums: [KeyName: Int] = [:]
    for (value, before) in zip(tab.watched, shown[action.shown]) {
      if let before = before as? Int, let now = value.value as? Int {
        sums[value.name] = now - before
      }
    }
    for (index, after) in tab.progress.enumerated() {
      let before = index < before.count ? before[index] : nil
      guard let after, before?.openStep ?? 1 < after.openStep else { continue }
      let changed = after.values.filter { value in
        let former = before?.values.first { $0.name == value.name }
        return value.status.pendingCount > former?.status.pendingCount ?? 0
      }
      let values = changed.map { ($0.name, sums[$0.name]) }
      commitLedger.show(
        action, by: after.client, before?.openStep ?? 1, Dictionary(uniqueKeysWithValues: values))
    }
  }

  /// Records a stored commit.
  func noteCommit(_ new: SimulatedCommit) {
    commitLedger.store(new)
    for entry in new.commit.entries { commitHistory.note(origin.database.store.stored(entry.key)) }
  }

  /// Checks that a tab without pending changes shows the newest revision that it has received, that
  /// it never goes back to an older one, and that its journal has its pending changes.
  func checkCommits(of tab: RunningTab<Tab>, _ number: Int) throws(Problem) {
    for (store, progress) in zip(tab.revisions, tab.progress) {
      if let progress, let (name, text) = store.valueThatGoesBack(in: progress) {
        throw Problem(.backwards, "in tab \(number), \"\(name)\" goes back \(text)")
      }
      for value in progress?.values ?? [] where value.status.pendingCount == 0 {
        try check(value, of: tab, number)
      }
    }
    guard let client = tab.journaledClient, tab.journals.missing.isEmpty else { return }
    let journal = origin.journals.journal(of: client)
    if let step = commitLedger.firstStep(of: client, missingIn: journal) {
      throw Problem(
        .unjournaled, "tab \(number) has shown the effect of \(step.text), which is in no journal")
    }
  }
}

extension Run {
  private func check(
    _ value: CommitProgress.Value, of tab: RunningTab<Tab>, _ number: Int
  ) throws(Problem) {
    let revision = value.status.revision
    guard let watched = tab.watched.first(where: { $0.name == value.name }),
      !watched.reportsMismatch,
      let stored = commitHistory.value(of: value.name, at: revision, in: tab.number),
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
