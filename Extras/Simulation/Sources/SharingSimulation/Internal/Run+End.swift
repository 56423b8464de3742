import SharingCore
import WasiStorage

/// The end of a schedule. Faults end, all messages arrive, and then all tabs have to show the
/// stored values, and these have to be the result of the actions.
extension Run {
  func finish(_ simulation: Simulation) throws(Problem) {
    endFaults()
    try settle()
    if commits {
      // Checked before a new tab can commit the changes of another one. Those of an older release
      // may wait for that.
      try checkCommitted(by: simulation.newest)
      try openAnother()
      try settle()
      for release in releases { try checkCommitted(by: release) }
    }
    try checkAgreement(exceptMissed: true)
    // Tabs that missed an event read the store, as a page does that returns from the browser's
    // cache.
    for tab in openTabs { try turn(tab) { $0.deliverEvent(of: nil) } }
    for tab in openTabs { tabs[tab]?.returnFromCache() }
    origin.missesNotifications = []
    try settle()
    try checkQuiet()
    try checkAgreement(exceptMissed: false)
    try checkCorruption()
    try checkStored(simulation)
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
        try turn(tab) { $0.hide() }
        try turn(tab) { $0.saveAgain() }
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

  /// Checks that events without a change cause no writes.
  private func checkQuiet() throws(Problem) {
    let before = origin.writeCount
    for tab in openTabs {
      try turn(tab) { $0.deliverEvent(of: nil) }
      try turn(tab) { $0.hide() }
    }
    if origin.writeCount != before {
      throw Problem(.restless, "a tab writes in answer to an event without a change")
    }
  }

  /// Checks that each tab shows the same values as a new tab of its release, or reports an error.
  private func checkAgreement(exceptMissed: Bool) throws(Problem) {
    for release in releases { try checkAgreement(of: release, exceptMissed: exceptMissed) }
  }

  private func checkAgreement(of release: Release, exceptMissed: Bool) throws(Problem) {
    let new = RunningTab(release, at: tabs.count, over: origin, isAlone: true)
    defer { origin.closes(tabs.count) }
    for tab in openTabs where tabs[tab]?.release.number == release.number {
      let missed = origin.missed[tab] ?? []
      for (value, stored) in zip(tabs[tab]?.watched ?? [], new.watched) {
        if value.reportsMismatch || stored.reportsMismatch { continue }
        if exceptMissed, missed.contains(value.name) || missed.contains(nil) { continue }
        if new.commits(value.name) {
          if exceptMissed, origin.missesNotifications.contains(tab) { continue }
          if commitLedger.isCleared(value.name) { continue }
        }
        guard !areEqual(value.value, stored.value) else { continue }
        throw Problem(
          .diverged,
          """
          tab \(tab) has received every event and shows \(value.value) for "\(value.name)", but \
          \(stored.value) is stored
          """)
      }
    }
    _ = origin.takeWrites()
  }

  /// Checks that the text of each torn write is still in some item, or in a list of replaced
  /// values.
  private func checkCorruption() throws(Problem) {
    let texts = Array(origin.items.values) + origin.items.values.flatMap { replacedTexts(in: $0) }
    for (key, bytes) in origin.torn where ledgers[key] != nil {
      guard !texts.contains(bytes) else { continue }
      throw Problem(.damage, "no item has a copy of the damaged text of \"\(key)\"")
    }
  }

  /// Checks that the stored values are those that a single program makes with the successful
  /// actions.
  private func checkStored(_ simulation: Simulation) throws(Problem) {
    try checkShownChanges()
    let new = RunningTab(simulation.newest, at: tabs.count, over: origin, isAlone: true)
    defer { origin.closes(tabs.count) }
    let names = new.watched.map { $0.name }
    let committed = Set(names.filter { new.commits($0) })
    for value in new.watched where !value.reportsMismatch {
      guard let entries = entries(of: value.name) else { continue }
      func alone(except own: KeyName?) -> any Equatable {
        let reference = Reference(
          simulation, storing: names, committed: committed, shown: shown)
        return reference.replay(entries, of: value.name, except: own)!
      }
      let (stored, expected) = (value.base.compared(), alone(except: value.name))
      guard !areEqual(stored, expected) else { continue }
      // Whether actions that read the shown value outside of `update` explain the stored value.
      let isReadOutside = areEqual(stored, alone(except: nil))
      let method = committed.contains(value.name) ? "update" : "withLock"
      let reason =
        isReadOutside
        ? """
        . The cause is a change made from a shown value, which may be out of date: an action that \
        changes "\(value.name)" has to read it in \(method)
        """ : ""
      throw Problem(
        .lost,
        """
        the stored value of "\(value.name)" is \(stored); a single program with the same \
        successful actions would have stored \(expected)\(reason)
        """)
    }
  }

  /// Returns the events that have led to a stored value; nil if they are unknown after a torn
  /// write.
  private func entries(of name: KeyName) -> [Ledger.Entry]? {
    if let ledger = ledgers[name], ledger.isTorn { return nil }
    return commitLedger.entries[name] ?? ledgers[name]?.entries
  }

  /// Checks that open tabs of a release have no pending changes after all messages, except refused
  /// ones.
  private func checkCommitted(by release: Release) throws(Problem) {
    for tab in openTabs where tabs[tab]?.release.number == release.number {
      for value in tabs[tab]?.watched ?? [] where commitLedger.entries[value.name] != nil {
        guard value.isSaving, !value.isRefused else { continue }
        throw Problem(
          .lost, "tab \(tab) has not committed \"\(value.name)\", and does not retry")
      }
    }
  }

  /// Checks that all shown changes are stored, unless they are refused permanently.
  private func checkShownChanges() throws(Problem) {
    let isRefused = openTabs.contains { tab in
      tabs[tab]?.watched.contains { $0.isRefused && !$0.waitsForAnotherRelease } == true
    }
    guard !isRefused, let lost = commitLedger.firstLost else { return }
    throw Problem(
      .lost, "tab \(lost.action.tab) has shown the effect of \(lost.text), which is never stored")
  }
}

/// Returns the texts of a list of replaced values; none for another item.
private func replacedTexts(in list: [UInt8]) -> [[UInt8]] {
  let replaced = try? JSON.decode([Replaced].self, from: list)
  return replaced?.compactMap { $0.bytes.isEmpty ? $0.text.bytes : $0.bytes } ?? []
}

/// An entry of a list of replaced values; see ``WasiStorage/ReplacedValue``.
private struct Replaced: JSONCodable {
  var text = UTF8Text()
  var bytes: [UInt8] = []

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("text", &text)
    try json.field("bytes", &bytes)
  }
}
