import SharingCore
import SimulatedRevisions
import WasiStorage

// What is committed.
extension Run {
  /// What a tab has sent arrives at the database: some have it made anew there, with the
  /// transaction open, others when they hear of the conflict.
  func arrive(_ tab: Int) throws(Problem) {
    let database = origin.database
    database.rebases = tab.isMultiple(of: 2)
    guard tabs.indices.contains(tab), tabs[tab] != nil else {
      return database.messages.deliver(.question, of: tab)
    }
    try turn(tab) { $0.receive(.question) }
  }

  /// Notes what an action has changed that is to be committed.
  /// - Parameter before: How far the tab's changes were stored before it.
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

  /// Notes what is stored.
  func noteCommit(_ new: SimulatedCommit) {
    commitLedger.store(new)
    for entry in new.commit.entries { commitHistory.note(origin.database.store.stored(entry.key)) }
  }

  /// What a tab knows to be stored it shows, if nothing is pending, and never goes back there. What
  /// it shows and has not stored is in its journal.
  func checkCommits(of tab: RunningTab<Tab>, _ number: Int) throws(Problem) {
    for (store, progress) in zip(tab.revisions, tab.progress) {
      if let progress, let (name, text) = store.valueThatGoesBack(in: progress) {
        throw Problem(.backwards, "in tab \(number), \"\(name)\" goes back \(text)")
      }
      for value in progress?.values ?? [] where value.status.pendingCount == 0 {
        try check(value, of: tab, number)
      }
    }
    guard let client = tab.journaledClient, tab.journals.lacking.isEmpty else { return }
    let journal = origin.journals.journal(of: client)
    if let step = commitLedger.firstStep(of: client, missingIn: journal) {
      throw Problem(.unjournaled, "tab \(number) has shown \(step.text), which is in no journal")
    }
  }
}

extension Run {
  private func check(
    _ value: CommitProgress.Value, of tab: RunningTab<Tab>, _ number: Int
  ) throws(Problem) {
    let revision = value.status.revision
    guard let watched = tab.watched.first(where: { $0.name == value.name }), !watched.isInTrouble,
      let stored = commitHistory.value(of: value.name, at: revision, in: tab.number),
      !areEqual(watched.value, stored)
    else { return }
    throw Problem(
      .diverged,
      """
      tab \(number) knows revision \(revision) of "\(value.name)", which is \(stored), and shows \
      \(watched.value)
      """)
  }
}

extension CommitLedger.Step {
  /// The action, in messages.
  var text: String { "\"\(action.name)\" \(action.number)" }
}
