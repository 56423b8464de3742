import SharingCore

/// The end of a schedule: nothing goes wrong any more, everything that is under way arrives, and
/// then all tabs have to show what is stored, and that has to be what the actions have made.
extension Run {
  func finish(_ simulation: Simulation<Tab>) throws(Problem) {
    endFaults()
    try settle()
    if commits {
      // Before there is a tab that could do it in place of another one.
      try checkCommitted()
      try openAnother()
      try settle()
      try checkCommitted()
    }
    try checkAgreement(exceptMissed: true)
    // As when a page comes back from the browser's cache: who missed an event looks now.
    for tab in openTabs { try turn(tab) { $0.hear(of: nil) } }
    for tab in openTabs { tabs[tab]?.catchesUp() }
    origin.missesNotifications = []
    try settle()
    try checkQuiet()
    try checkAgreement(exceptMissed: false)
    try checkCorruption()
    try checkStored(simulation)
  }

  /// Delivers events, writes what waits and saves again until nothing happens any more.
  private func settle() throws(Problem) {
    var delivered = 0
    var before: (writes: Int, messages: Int)
    var messages = 0
    repeat {
      before = (origin.writeCount, messages)
      for tab in openTabs {
        try turn(tab) { $0.hide() }
        try turn(tab) { $0.saveAgain() }
      }
      while let (tab, key) = origin.nextEvent {
        try deliver(tab, key)
        delivered += 1
        if delivered > 1000 {
          throw Problem(.restless, "the tabs go on writing in answer to each other's events")
        }
      }
      while try deliverMessage() {
        messages += 1
        if messages > 5000 { throw Problem(.restless, "the tabs go on committing without end") }
      }
    } while (origin.writeCount, messages) != before
  }

  /// The first message of those that are under way arrives.
  private func deliverMessage() throws(Problem) -> Bool {
    let messages = origin.database.messages
    for tab in tabs.indices {
      if messages.count(.question, of: tab) > 0 {
        try arrive(tab)
      } else if messages.count(.answer, of: tab) > 0 {
        try turn(tab) { $0.receive(.answer) }
      } else if messages.count(.notification, of: tab) > 0 {
        try turn(tab) { $0.receive(.notification) }
      } else {
        continue
      }
      return true
    }
    return false
  }

  /// Events that tell nothing new change nothing.
  private func checkQuiet() throws(Problem) {
    let before = origin.writeCount
    for tab in openTabs {
      try turn(tab) { $0.hear(of: nil) }
      try turn(tab) { $0.hide() }
    }
    if origin.writeCount != before {
      throw Problem(.restless, "a tab writes in answer to an event that tells nothing new")
    }
  }

  /// A tab shows what a new one would, or says that it does not.
  private func checkAgreement(exceptMissed: Bool) throws(Problem) {
    let new = RunningTab<Tab>(0, at: tabs.count, over: origin, isAlone: true)
    defer { origin.closes(tabs.count) }
    for tab in openTabs {
      let missed = origin.missed[tab] ?? []
      for (value, stored) in zip(tabs[tab]?.watched ?? [], new.watched) {
        if value.isInTrouble || stored.isInTrouble { continue }
        if exceptMissed, missed.contains(value.name) || missed.contains(nil) { continue }
        if new.commits(value.name) {
          if exceptMissed, origin.missesNotifications.contains(tab) { continue }
          if commitLedger.isCleared(value.name) { continue }
        }
        guard !areEqual(value.value, stored.value) else { continue }
        throw Problem(
          .diverged,
          """
          tab \(tab) has heard of everything and shows \(value.value) for "\(value.name)"; stored is \
          \(stored.value)
          """)
      }
    }
    _ = origin.takeWrites()
  }

  /// What a torn write has left is still somewhere.
  private func checkCorruption() throws(Problem) {
    for (key, bytes) in origin.torn where ledgers[key] != nil {
      guard !origin.items.values.contains(bytes) else { continue }
      throw Problem(.damage, "damaged text of \"\(key)\" is nowhere to be found")
    }
  }

  /// What is stored is what one program alone would have made of the actions that succeeded.
  private func checkStored(_ simulation: Simulation<Tab>) throws(Problem) {
    try checkPromises()
    let new = RunningTab<Tab>(0, at: tabs.count, over: origin, isAlone: true)
    defer { origin.closes(tabs.count) }
    let names = new.watched.map { $0.name }
    let committed = Set(names.filter { new.commits($0) })
    for (index, stored) in new.watched.enumerated() where !stored.isInTrouble {
      guard let entries = entries(of: stored.name) else { continue }
      func alone(except own: Int?) -> any Equatable {
        let reference = Reference<Tab>(
          simulation, storing: names, committed: committed, shown: shown)
        return reference.replay(entries, of: index, except: own)[index]
      }
      let expected = alone(except: index)
      guard !areEqual(stored.value, expected) else { continue }
      // With what the tabs have shown of the value itself, would it have been the same?
      let isReadOutside = areEqual(stored.value, alone(except: nil))
      let place = committed.contains(stored.name) ? "update" : "withLock"
      let reason =
        isReadOutside
        ? """
        . That comes of changing what a tab has shown, which may be out of date: an action that \
        changes "\(stored.name)" has to read it in \(place)
        """ : ""
      throw Problem(
        .lost,
        """
        stored is \(stored.value) for "\(stored.name)"; one program alone would have made \
        \(expected) of the actions that succeeded\(reason)
        """)
    }
  }

  /// What has led to a stored value; nil where that cannot be said.
  private func entries(of name: KeyName) -> [Ledger.Entry]? {
    if let ledger = ledgers[name], ledger.isTorn { return nil }
    return commitLedger.entries[name] ?? ledgers[name]?.entries
  }

  /// With nothing under way, every tab that is open has committed what it could.
  private func checkCommitted() throws(Problem) {
    for tab in openTabs {
      for value in tabs[tab]?.watched ?? [] where commitLedger.entries[value.name] != nil {
        guard value.isSaving, !value.isRefused else { continue }
        throw Problem(
          .lost, "tab \(tab) has not committed \"\(value.name)\", and does not try that again")
      }
    }
  }

  /// What was shown is stored, unless that is refused for good.
  private func checkPromises() throws(Problem) {
    let isRefused = openTabs.contains { tabs[$0]?.watched.contains { $0.isRefused } == true }
    guard !isRefused, let lost = commitLedger.firstLost else { return }
    throw Problem(.lost, "tab \(lost.action.tab) has shown \(lost.text), which is never stored")
  }
}
