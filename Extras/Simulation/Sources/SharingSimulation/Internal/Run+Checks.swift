import SharingCore

// The checks after each turn.
extension Run {
  /// Checks a turn that has ended.
  func check(_ number: Int, after action: Ledger.Action?) throws(Problem) {
    guard let tab = tabs[number] else { return }
    let writes = origin.takeWrites()
    for write in writes where write.isIdle {
      throw Problem(.idleWrite, "tab \(number) writes the bytes that \"\(write.key)\" already has")
    }
    if let problemOfCommits { throw Problem(.restless, problemOfCommits) }
    try checkOverwrites()
    if tab.faults.isDead { return closeEnded(number, writes) }
    try checkCommits(of: tab, number)
    for value in tab.watched {
      try check(value, of: number, after: action, writes.last { $0.key == value.name })
    }
    for other in openTabs where other != number { try checkIsolation(of: other, from: number) }
    if let problem = tab.problem { throw Problem(.ofTab, "tab \(number): \(problem)") }
  }

  private func check(
    _ value: WatchedValue, of number: Int, after action: Ledger.Action?, _ write: Origin.Write?
  ) throws(Problem) {
    let turn = value.takeTurn()
    if turn.isChanged, turn.notifications == 0 {
      throw Problem(.unnoticed, "tab \(number) changes \"\(value.name)\" but runs no observers")
    }
    let isUnseen = tabs[number]?.isUnseen(value.name) == true
    if !turn.isChanged, turn.notifications > 0, action == nil, !turn.hadError, !isUnseen {
      throw Problem(
        .needless, "tab \(number) runs observers of \"\(value.name)\", which has not changed")
    }
    if tabs[number]?.commits(value.name) == true { return }
    if turn.notifications == 0, let action { ledgers[value.name]?.recordNoChange(by: action) }
    if turn.reportsLoss, let action {
      ledgers[value.name]?.lose(before: action, isWritten: write != nil)
    } else if turn.reportsLoss {
      ledgers[value.name]?.lose(by: number)
    }
    if let write {
      ledgers[value.name]?.succeed(by: number, write)
    } else if value.saveError == nil, !value.isSaving {
      ledgers[value.name]?.succeedWithoutWriting(by: number)
    }
  }

  private func checkIsolation(of other: Int, from number: Int) throws(Problem) {
    for value in tabs[other]?.watched ?? [] where value.takeTurn().notifications > 0 {
      throw Problem(
        .crosstalk, "a turn of tab \(number) runs observers of \"\(value.name)\" in tab \(other)")
    }
  }

  /// Closes a tab that has ended in a turn. Its unwritten actions may be lost.
  private func closeEnded(_ number: Int, _ writes: [Origin.Write]) {
    for write in writes where ledgers[write.key] != nil {
      if write.isTorn {
        ledgers[write.key]?.tear()
      } else {
        ledgers[write.key]?.succeedAndDie(by: number, write)
      }
    }
    close(number)
  }
}
