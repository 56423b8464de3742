import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// A schedule that is running: the tabs, their shared state, and the expected results.
final class Run {
  let simulation: Simulation
  let origin: Origin
  private(set) var tabs: [RunningTab?]
  /// The release of each tab; of a closed one, the last.
  private var releaseNumbers: [Int]
  var ledgers: [KeyName: Ledger] = [:]
  var commitLedger: CommitLedger
  /// The first problem that the database has reported.
  private(set) var problemOfCommits: String?
  /// The stored commits that are not checked yet.
  var uncheckedCommits: [SimulatedCommit] = []
  /// The values that the tab of each action has shown before the action.
  private(set) var shown: [[KeyName: any Equatable]] = []
  /// The faults of closed tabs, which begin when the tabs are opened.
  private var faults: [Int: [(fault: SimulatedFault, after: Int)]] = [:]

  /// Opens all tabs.
  init(_ simulation: Simulation) throws(Problem) {
    self.simulation = simulation
    let count = simulation.releases.count
    origin = simulation.makeOrigin()
    tabs = Array(repeating: nil, count: simulation.tabs)
    releaseNumbers = tabs.indices.map { $0 % count }
    commitLedger = CommitLedger(hasOneRelease: count == 1)
    // A held journal is tried again after each notification, and the store refuses it.
    origin.database.notifiesOthersOnly = count > 1
    origin.database.onStored = { [unowned self] in
      commitLedger.store($0)
      uncheckedCommits.append($0)
    }
    origin.database.onProblem = { [unowned self] in problemOfCommits = problemOfCommits ?? $0 }
    for tab in tabs.indices { try open(tab) }
  }

  /// Performs a step and checks its effects.
  func perform(_ step: SimulationStep) throws(Problem) {
    let (tab, number, key) = (step.tab, step.number, step.name.map { KeyName($0) })
    let messages = origin.database.messages
    switch step.kind {
    case .act: try act(step)
    case .deliver: try deliver(tab, key)
    case .lose: if origin.take(key, for: tab) { origin.missed.insert(tab) }
    case .arrive: try arrive(tab)
    case .answer: try turn(tab) { _ in messages.deliver(.answer, of: tab) }
    case .notify: try turn(tab) { _ in messages.deliver(.notification, of: tab, number: number) }
    case .notifyAgain:
      try turn(tab) { _ in
        messages.deliver(.notification, of: tab, number: number, isRepeated: true)
      }
    case .loseNotification:
      if messages.drop(.notification, of: tab, number: number) { origin.missed.insert(tab) }
    case .wait: try turn(tab) { $0.clock.advance(by: number) }
    case .hide: try hide(tab)
    case .close:
      try hide(tab)
      close(tab)
    case .crash: close(tab)
    case .open: try open(tab, as: step.release)
    case .fail: if let fault = step.fault { fail(tab, fault, number) }
    case .clear:
      origin.clear()
      commitLedger.clear(running: openTabs.flatMap { $0.programs })
      for key in ledgers.keys { ledgers[key]?.restart(with: nil) }
    }
  }

  /// Removes all faults that have not happened yet.
  func endFaults() {
    faults = [:]
    for tab in openTabs { tab.faults.waiting = [] }
  }

  /// Whether a tab has values in a revision store.
  var commits: Bool { !commitLedger.entries.isEmpty }

  /// Opens one more tab, of the newest release. It stores the journals of ended tabs.
  func openAnother() throws(Problem) {
    tabs.append(nil)
    releaseNumbers.append(simulation.newest.number)
    try open(tabs.count - 1)
  }

  var openTabs: [RunningTab] { tabs.compactMap { $0 } }
}

// MARK: Steps

extension Run {
  /// - Parameter release: The number of the release; nil for the last one of the tab.
  private func open(_ number: Int, as release: Int? = nil) throws(Problem) {
    guard tabs.indices.contains(number), tabs[number] == nil else { return }
    let release = release ?? releaseNumbers[number]
    guard simulation.releases.indices.contains(release) else { return }
    releaseNumbers[number] = release
    let tab = RunningTab(
      simulation.releases[release], at: number, over: origin,
      faults.removeValue(forKey: number) ?? [])
    tabs[number] = tab
    tab.journals.onWrite = { [unowned self] in commitLedger.note($0) }
    for progress in tab.progress.compactMap({ $0 }) { commitLedger.open(progress) }
    for value in tab.watched {
      if tab.commits(value.name) {
        commitLedger.follow(value.name)
      } else if ledgers[value.name] == nil {
        ledgers[value.name] = Ledger()
      }
    }
    try check(tab)
  }

  func close(_ number: Int) {
    guard tabs.indices.contains(number), let tab = tabs[number] else { return }
    for case let program? in tab.programs {
      commitLedger.end(program, leaving: journals(of: program))
    }
    tabs[number] = nil
    for key in ledgers.keys { ledgers[key]?.lose(by: number) }
  }

  private func act(_ step: SimulationStep) throws(Problem) {
    guard tabs.indices.contains(step.tab), let tab = tabs[step.tab], let name = step.name,
      tab.release.program.actionNames.contains(name)
    else { return }
    let action = Ledger.Action(tab: step.tab, name: name, number: step.number, shown: shown.count)
    shown.append(
      Dictionary(uniqueKeysWithValues: tab.watched.map { ($0.name, $0.base.value()) }))
    for key in ledgers.keys { ledgers[key]?.begin(action) }
    let before = tab.progress
    tab.turn { tab.program.perform(name, step.number) }
    note(action, before, by: tab)
    try check(tab, after: action)
  }

  func deliver(_ tab: Int, _ key: KeyName?) throws(Problem) {
    if origin.take(key, for: tab) { try turn(tab) { $0.store.notify(key) } }
  }

  /// Hides a tab, which saves its delayed changes.
  func hide(_ tab: Int) throws(Problem) {
    try turn(tab) { $0.clock.callAll() }
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
  func turn(_ number: Int, _ body: (RunningTab) -> Void) throws(Problem) {
    guard tabs.indices.contains(number), let tab = tabs[number] else { return }
    tab.turn { body(tab) }
    try check(tab)
  }
}
