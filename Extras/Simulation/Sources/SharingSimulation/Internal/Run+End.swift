import SharingCore
import WasiStorage

/// The end of a schedule. Faults end, all messages arrive, and then all tabs have to show the
/// stored values, and these have to be the result of the actions.
extension Run {
  func finish() throws(Problem) {
    endFaults()
    try settle()
    if commits {
      // Checked before a new tab can commit the changes of another one. Those of an older release
      // may wait for that.
      try checkCommitted(since: simulation.newest)
      try openAnother()
      try settle()
      try checkCommitted(since: simulation.releases[0])
    }
    try checkAgreement()
    // Tabs that missed an event read the store, as a page does that returns from the browser's
    // cache.
    for tab in openTabs { try turn(tab.number) { $0.returnFromCache() } }
    origin.missed = []
    try settle()
    try checkQuiet()
    try checkAgreement()
    try checkShownChanges()
    try checkStored()
  }

  /// Delivers events, writes delayed changes and retries failed saves until nothing happens any
  /// more.
  private func settle() throws(Problem) {
    var delivered = 0
    var before: (writes: Int, messages: Int)
    var messages = 0
    repeat {
      before = (origin.writeCount, messages)
      for tab in openTabs {
        try hide(tab.number)
        try turn(tab.number) { $0.saveAgain() }
      }
      while let (tab, key) = origin.nextEvent {
        try deliver(tab, key)
        delivered += 1
        if delivered > 1000 {
          throw Problem(.restless, "the tabs keep writing in answer to each other's events")
        }
      }
      while try deliverMessage() {
        messages += 1
        if messages > 1000 { throw Problem(.restless, "the tabs keep committing without end") }
      }
    } while (origin.writeCount, messages) != before
  }

  /// Delivers the first waiting message.
  /// - Returns: Whether there was one.
  private func deliverMessage() throws(Problem) -> Bool {
    let messages = origin.database.messages
    for tab in tabs.indices {
      if messages.count(.question, of: tab) > 0 {
        try arrive(tab)
      } else if messages.count(.answer, of: tab) > 0 {
        try turn(tab) { _ in messages.deliver(.answer, of: tab) }
      } else if messages.count(.notification, of: tab) > 0 {
        try turn(tab) { _ in messages.deliver(.notification, of: tab) }
      } else {
        continue
      }
      return true
    }
    return false
  }

  /// Checks that events without a change cause no writes, and run no observers.
  private func checkQuiet() throws(Problem) {
    let before = origin.writeCount
    for tab in openTabs {
      for value in tab.watched { _ = value.takeTurn() }
      tab.turn { tab.store.notify(nil) }
      for value in tab.watched where value.takeTurn().runsObservers {
        throw Problem(
          .needless,
          "tab \(tab.number) runs observers of \"\(value.name)\", which has not changed")
      }
      try hide(tab.number)
    }
    if origin.writeCount != before {
      throw Problem(.restless, "a tab writes in answer to an event without a change")
    }
  }

  /// Checks that each tab shows the same values as a new tab of its release, or reports an error.
  private func checkAgreement() throws(Problem) {
    for tab in openTabs where !origin.missed.contains(tab.number) {
      let new = newTab(of: tab.release)
      for (value, stored) in zip(tab.watched, new.watched) {
        if value.reportsMismatch || stored.reportsMismatch { continue }
        if commitLedger.isCleared(value.name) { continue }
        let (shown, stored) = (value.base.value(), stored.base.value())
        if areEqual(shown, stored) { continue }
        throw Problem(
          .diverged,
          """
          tab \(tab.number) has received every event and shows \(shown) for "\(value.name)", but \
          \(stored) is stored
          """)
      }
    }
    _ = origin.takeWrites()
  }

  /// Opens a tab that shows the stored values.
  private func newTab(of release: Release) -> RunningTab {
    RunningTab(release, at: tabs.count, over: origin, isAlone: true)
  }

  /// Checks that the stored values are those that a single program makes with the successful
  /// actions.
  private func checkStored() throws(Problem) {
    let new = newTab(of: simulation.newest)
    for value in new.watched where !value.reportsMismatch && !isTorn(value.name) {
      let (name, stored) = (value.name, value.base.compared())
      let expected = expected(name, except: name)
      if areEqual(stored, expected) { continue }
      // Whether actions that read the shown value outside of `update` explain the stored value.
      let isReadOutside = areEqual(stored, self.expected(name, except: nil))
      let method = commitLedger.entries[name] != nil ? "update" : "withLock"
      let reason =
        isReadOutside
        ? """
        . The cause is a change made from a shown value, which may be out of date: an action that \
        changes "\(name)" has to read it in \(method)
        """ : ""
      throw Problem(
        .lost,
        """
        the stored value of "\(name)" is \(stored); a single program with the same successful \
        actions would have stored \(expected)\(reason)
        """)
    }
  }

  /// Whether half a text is stored. A coding may accept it.
  private func isTorn(_ name: KeyName) -> Bool { ledgers[name]?.isTorn == true }

  /// Checks that open tabs have no pending changes after all messages, except refused ones.
  /// - Parameter oldest: The oldest release of the tabs to check.
  private func checkCommitted(since oldest: Release) throws(Problem) {
    for tab in openTabs where tab.release.number >= oldest.number {
      for value in tab.watched where tab.commits(value.name) {
        guard value.base.isSaving(), !value.isRefused else { continue }
        throw Problem(
          .lost, "tab \(tab.number) has not committed \"\(value.name)\", and does not retry")
      }
    }
  }

  /// Checks that all shown changes are stored, unless they are refused permanently.
  private func checkShownChanges() throws(Problem) {
    let isRefused = openTabs.contains { $0.watched.contains { $0.isRefusedByAll } }
    guard !isRefused, let lost = commitLedger.firstLost else { return }
    throw Problem(
      .lost, "tab \(lost.action.tab) has shown the effect of \(lost.text), which is never stored")
  }
}
