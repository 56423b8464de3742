import SharingCore

/// One schedule under way: the tabs, what they share, and what must come of it.
final class Run<Tab: SimulatedTab> {
  let origin: Origin
  private(set) var tabs: [RunningTab<Tab>?]
  private(set) var ledgers: [KeyName: Ledger] = [:]
  /// What the tab of each action has shown before that.
  private(set) var shown: [[any Equatable]] = []
  /// What will go wrong in a tab that is closed, when it is opened.
  private var faults: [Int: [(fault: SimulatedFault, after: Int)]] = [:]

  /// Opens all tabs.
  init(_ simulation: Simulation<Tab>) throws(Problem) {
    origin = Origin(simulation.items)
    tabs = Array(repeating: nil, count: simulation.tabs)
    for tab in tabs.indices { try open(tab) }
  }

  /// Does what a step says, and checks what has come of it.
  func perform(_ step: SimulationStep) throws(Problem) {
    switch step {
    case .act(let tab, let name, let number): try act(tab, name, number)
    case .deliver(let tab, let key): try deliver(tab, key.map { KeyName($0) })
    case .lose(let tab, let key): _ = origin.take(key.map { KeyName($0) }, for: tab, isMissed: true)
    case .wait(let tab, let milliseconds):
      try turn(tab) { $0.wait(milliseconds: milliseconds) }
    case .hide(let tab): try turn(tab) { $0.hide() }
    case .close(let tab):
      try turn(tab) { $0.hide() }
      close(tab)
    case .crash(let tab): close(tab)
    case .open(let tab): try open(tab)
    case .fail(let tab, let fault, let after): fail(tab, fault, after)
    case .clear:
      origin.clear()
      for key in ledgers.keys { ledgers[key]?.restart(with: nil) }
    }
  }

  /// From now on nothing goes wrong.
  func endFaults() {
    faults = [:]
    for tab in tabs { tab?.store.faults = [] }
  }

  /// The tabs that are open.
  var openTabs: [Int] { tabs.indices.filter { tabs[$0] != nil } }
}

// MARK: Steps

extension Run {
  private func open(_ number: Int) throws(Problem) {
    guard tabs.indices.contains(number), tabs[number] == nil else { return }
    let tab = RunningTab<Tab>(number, over: origin, faults.removeValue(forKey: number) ?? [])
    tabs[number] = tab
    for value in tab.watched where ledgers[value.name] == nil { ledgers[value.name] = Ledger() }
    try check(number, after: nil)
  }

  private func close(_ number: Int) {
    guard tabs.indices.contains(number), tabs[number] != nil else { return }
    tabs[number] = nil
    origin.closes(number)
    for key in ledgers.keys { ledgers[key]?.lose(by: number) }
  }

  private func act(_ tab: Int, _ name: String, _ number: Int) throws(Problem) {
    guard let action = Tab.actions.first(where: { $0.name == name }) else { return }
    guard tabs.indices.contains(tab), let watched = tabs[tab]?.watched else { return }
    let entry = Ledger.Action(tab: tab, name: name, number: number, shown: shown.count)
    shown.append(watched.map { $0.value })
    for key in ledgers.keys { ledgers[key]?.begin(entry) }
    try turn(tab, entry) { $0.act(action, number) }
  }

  func deliver(_ tab: Int, _ key: KeyName?) throws(Problem) {
    if origin.take(key, for: tab) { try turn(tab) { $0.hear(of: key) } }
  }

  private func fail(_ tab: Int, _ fault: SimulatedFault, _ after: Int) {
    guard tabs.indices.contains(tab) else { return }
    if let open = tabs[tab] {
      open.store.faults.append((fault, after))
    } else {
      faults[tab, default: []].append((fault, after))
    }
  }

  /// A turn of a tab that is open.
  func turn(
    _ number: Int, _ action: Ledger.Action? = nil, _ body: (RunningTab<Tab>) -> Void
  ) throws(Problem) {
    guard tabs.indices.contains(number), let tab = tabs[number] else { return }
    body(tab)
    try check(number, after: action)
  }
}

// MARK: Checks

extension Run {
  /// Checks a turn that has ended.
  private func check(_ number: Int, after action: Ledger.Action?) throws(Problem) {
    guard let tab = tabs[number] else { return }
    let writes = origin.takeWrites()
    for write in writes where write.isIdle {
      throw Problem(.idleWrite, "tab \(number) writes to \"\(write.key)\" what is stored there")
    }
    if tab.store.isDead { return bury(number, writes) }
    for value in tab.watched {
      try check(value, of: number, after: action, writes.last { $0.key == value.name })
    }
    for other in openTabs where other != number { try checkThatNothingHappened(other, number) }
    if let problem = tab.problem { throw Problem(.ofTab, "tab \(number): \(problem)") }
  }

  private func check(
    _ value: WatchedValue, of number: Int, after action: Ledger.Action?, _ write: Origin.Write?
  ) throws(Problem) {
    let turn = value.takeTurn()
    if turn.isChanged, turn.notifications == 0 {
      throw Problem(.unnoticed, "tab \(number) shows \"\(value.name)\" changed and tells nobody")
    }
    let isNews = tabs[number]?.store.isNews(value.name) == true
    if !turn.isChanged, turn.notifications > 0, action == nil, !turn.wasInTrouble, !isNews {
      throw Problem(
        .needless, "tab \(number) tells observers of \"\(value.name)\", which has not changed")
    }
    if turn.notifications == 0, let action { ledgers[value.name]?.leaveUnchanged(by: action) }
    if turn.isLossTold, let action {
      ledgers[value.name]?.lose(before: action, isWritten: write != nil)
    } else if turn.isLossTold {
      ledgers[value.name]?.lose(by: number)
    }
    if let write {
      ledgers[value.name]?.succeed(by: number, write)
    } else if value.saveError == nil, !value.isSaving {
      ledgers[value.name]?.succeedWithoutWriting(by: number)
    }
  }

  private func checkThatNothingHappened(_ other: Int, _ number: Int) throws(Problem) {
    for value in tabs[other]?.watched ?? [] where value.takeTurn().notifications > 0 {
      throw Problem(
        .crosstalk, "a turn of tab \(number) runs observers of \"\(value.name)\" in tab \(other)")
    }
  }

  /// A tab has died in a turn: what it had not written is lost, and nobody has promised it.
  private func bury(_ number: Int, _ writes: [Origin.Write]) {
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
