import SharingCore
import WasiStorage

/// A schedule that is running: the tabs, their shared state, and the expected results.
final class Run<Tab: SimulatedTab> {
  let origin: Origin
  private(set) var tabs: [RunningTab<Tab>?]
  var ledgers: [KeyName: Ledger] = [:]
  var commitLedger = CommitLedger()
  var commitHistory = CommitHistory<Tab>()
  /// The first problem that the database has reported.
  private(set) var problemOfCommits: String?
  /// The values that the tab of each action has shown before the action.
  private(set) var shown: [[any Equatable]] = []
  /// The faults of closed tabs, which begin when the tabs are opened.
  private var faults: [Int: [(fault: SimulatedFault, after: Int)]] = [:]

  /// Opens all tabs.
  init(_ simulation: Simulation<Tab>) throws(Problem) {
    origin = Origin(simulation.items)
    tabs = Array(repeating: nil, count: simulation.tabs)
    origin.database.onStored = { [unowned self] in noteCommit($0) }
    origin.database.onProblem = { [unowned self] in problemOfCommits = problemOfCommits ?? $0 }
    for tab in tabs.indices { try open(tab) }
  }

  /// Performs a step and checks its effects.
  func perform(_ step: SimulationStep) throws(Problem) {
    let (tab, number, key) = (step.tab, step.number, step.name.map { KeyName($0) })
    switch step.kind {
    case .act: try act(step)
    case .deliver: try deliver(tab, key)
    case .lose: _ = origin.take(key, for: tab, isMissed: true)
    case .arrive: try arrive(tab)
    case .answer: try turn(tab) { $0.receive(.answer) }
    case .notify: try turn(tab) { $0.receive(.notification, number) }
    case .notifyAgain: try turn(tab) { $0.receive(.notification, number, isRepeated: true) }
    case .loseNotification:
      if origin.database.messages.drop(.notification, of: tab, number: number) {
        origin.missesNotifications.insert(tab)
      }
    case .wait: try turn(tab) { $0.wait(milliseconds: number) }
    case .hide: try turn(tab) { $0.hide() }
    case .close:
      try turn(tab) { $0.hide() }
      close(tab)
    case .crash: close(tab)
    case .open: try open(tab)
    case .fail: if let fault = step.fault { fail(tab, fault, number) }
    case .clear:
      origin.clear()
      commitLedger.clear(running: tabs.flatMap { $0?.clients ?? [] })
      for key in ledgers.keys { ledgers[key]?.restart(with: nil) }
    }
  }

  /// Removes all faults that have not happened yet.
  func endFaults() {
    faults = [:]
    for tab in tabs { tab?.faults.waiting = [] }
  }

  /// Whether a tab has values in a revision store.
  var commits: Bool { !commitLedger.entries.isEmpty }

  /// Opens one more tab. It stores the journals of ended tabs.
  func openAnother() throws(Problem) {
    tabs.append(nil)
    try open(tabs.count - 1, as: 0)
  }

  /// The tabs that are open.
  var openTabs: [Int] { tabs.indices.filter { tabs[$0] != nil } }
}

// MARK: Steps

extension Run {
  /// - Parameter program: The tab whose program it runs; nil for the same one.
  private func open(_ number: Int, as program: Int? = nil) throws(Problem) {
    guard tabs.indices.contains(number), tabs[number] == nil else { return }
    let tab = RunningTab<Tab>(
      program ?? number, at: number, over: origin, faults.removeValue(forKey: number) ?? [])
    tabs[number] = tab
    tab.journals.onWrite = { [unowned self] in
      if let entry = $0.journalEntry { commitLedger.note(journal: $1, of: entry.client) }
    }
    for progress in tab.progress.compactMap({ $0 }) { commitLedger.open(progress) }
    for value in tab.watched {
      if tab.commits(value.name) {
        commitLedger.follow(value.name)
      } else if ledgers[value.name] == nil {
        ledgers[value.name] = Ledger()
      }
    }
    try check(number, after: nil)
  }

  func close(_ number: Int) {
    guard tabs.indices.contains(number), tabs[number] != nil else { return }
    for client in tabs[number]?.clients ?? [] {
      commitLedger.end(client, leaving: origin.journals.journal(of: client))
    }
    tabs[number] = nil
    origin.closes(number)
    for key in ledgers.keys { ledgers[key]?.lose(by: number) }
  }

  private func act(_ step: SimulationStep) throws(Problem) {
    let (tab, number) = (step.tab, step.number)
    guard let action = Tab.actions.first(where: { $0.name == step.name }) else { return }
    guard tabs.indices.contains(tab), let watched = tabs[tab]?.watched else { return }
    let entry = Ledger.Action(tab: tab, name: action.name, number: number, shown: shown.count)
    shown.append(watched.map { $0.value })
    for key in ledgers.keys { ledgers[key]?.begin(entry) }
    let before = tabs[tab]?.progress ?? []
    try turn(tab, entry) {
      $0.act(action, number)
      note(entry, before, by: $0)
    }
  }

  func deliver(_ tab: Int, _ key: KeyName?) throws(Problem) {
    if origin.take(key, for: tab) { try turn(tab) { $0.deliverEvent(of: key) } }
  }

  private func fail(_ tab: Int, _ fault: SimulatedFault, _ after: Int) {
    guard tabs.indices.contains(tab) else { return }
    if let open = tabs[tab] {
      open.faults.waiting.append((fault, after))
    } else {
      faults[tab, default: []].append((fault, after))
    }
  }

  /// Runs a turn of an open tab, and checks it.
  func turn(
    _ number: Int, _ action: Ledger.Action? = nil, _ body: (RunningTab<Tab>) -> Void
  ) throws(Problem) {
    guard tabs.indices.contains(number), let tab = tabs[number] else { return }
    body(tab)
    try check(number, after: action)
  }
}
