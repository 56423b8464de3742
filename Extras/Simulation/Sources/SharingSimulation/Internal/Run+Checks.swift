import SharingCore

// The checks after each turn.
extension Run {
  /// Checks a turn that has ended.
  func check(_ tab: RunningTab, after action: Ledger.Action? = nil) throws(Problem) {
    let writes = origin.takeWrites()
    for write in writes where write.isIdle {
      throw Problem(
        .idleWrite, "tab \(tab.number) writes the bytes that \"\(write.key)\" already has")
    }
    if let problemOfCommits { throw Problem(.restless, problemOfCommits) }
    try checkOverwrites()
    if tab.faults.isDead { return closeEnded(tab.number, writes) }
    try checkJournal(of: tab)
    for value in tab.watched where !tab.commits(value.name) {
      record(value, of: tab.number, after: action, writes.last { $0.key == value.name })
    }
    if let problem = tab.problem { throw Problem(.ofTab, "tab \(tab.number): \(problem)") }
  }

  /// Records which actions a turn has stored or lost.
  private func record(
    _ value: WatchedValue, of tab: Int, after action: Ledger.Action?, _ write: Origin.Write?
  ) {
    let turn = value.takeTurn()
    if !turn.runsObservers, let action { ledgers[value.name]?.recordNoChange(by: action) }
    if turn.reportsLoss, let action {
      ledgers[value.name]?.lose(before: action, isWritten: write != nil)
    } else if turn.reportsLoss {
      ledgers[value.name]?.lose(by: tab)
    }
    if let write {
      ledgers[value.name]?.succeed(by: tab, write)
    } else if value.base.saveError() == nil, !value.base.isSaving() {
      ledgers[value.name]?.succeedWithoutWriting(by: tab)
    }
  }

  /// Closes a tab that has ended in a turn. Its unwritten actions may be lost.
  private func closeEnded(_ tab: Int, _ writes: [Origin.Write]) {
    for write in writes where ledgers[write.key] != nil {
      if write.isTorn {
        ledgers[write.key]?.tear()
      } else {
        ledgers[write.key]?.succeedAndDie(by: tab, write)
      }
    }
    close(tab)
  }
}
