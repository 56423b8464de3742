import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// A schedule that is running: the tabs, their shared state, and the expected results.
final class Run {
  let origin: Origin
  let releases: [Release]
  private(set) var tabs: [RunningTab?]
  /// The release of each tab; of a closed one, the last.
  private var releaseNumbers: [Int]
  var ledgers: [KeyName: Ledger] = [:]
  var commitLedger = CommitLedger()
  var commitHistory = CommitHistory()
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
    origin = Origin(simulation.items)
    releases = simulation.releases
    tabs = Array(repeating: nil, count: simulation.tabs)
    releaseNumbers = tabs.indices.map { [count = releases.count] in $0 % count }
    // A held journal is tried again after each notification, and the store refuses it.
    origin.database.notifiesOthersOnly = releases.count > 1
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
    case .open: try open(tab, as: step.release)
    case .fail: if let fault = step.fault { fail(tab, fault, number) }
    case .clear:
      origin.clear()
      commitLedger.clear(running: tabs.flatMap { $0?.programs ?? [] })
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

  /// Opens one more tab, of the newest release. It stores the journals of ended tabs.
  func openAnother() throws(Problem) {
    tabs.append(nil)
    releaseNumbers.append(releases.count - 1)
    try open(tabs.count - 1)
  }

  /// The tabs that are open.
  var openTabs: [Int] { tabs.indices.filter { tabs[$0] != nil } }
}

// MARK: Steps

extension Run {
  /// - Parameter release: The number of the release; nil for the last one of the tab.
  private func open(_ number: Int, as release: Int? = nil) throws(Problem) {
    guard tabs.indices.contains(number), tabs[number] == nil else { return }
    let release = release ?? releaseNumbers[number]
    guard releases.indices.contains(release) else { return }
    releaseNumbers[number] = release
    let tab = RunningTab(
      releases[release], at: number, over: origin, faults.removeValue(forKey: number) ?? [])
    tabs[number] = tab
    tab.journals.onWrite = { [unowned self] in
      let journal = $0.journalEntry.flatMap { [bytes = $1] in WrittenJournal(of: $0.client, bytes) }
      if let journal { commitLedger.note(journal) }
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
    for program in tabs[number]?.programs ?? [] {
      commitLedger.end(program, leaving: journals(of: program))
    }
    tabs[number] = nil
    origin.closes(number)
    for key in ledgers.keys { ledgers[key]?.lose(by: number) }
  }

  private func act(_ step: SimulationStep) throws(Problem) {
    let (tab, number) = (step.tab, step.number)
    guard tabs.indices.contains(tab), let open = tabs[tab], let name = step.name,
      open.release.program.actionNames.contains(name)
    else { return }
    let entry = Ledger.Action(tab: tab, name: name, number: number, shown: shown.count)
    shown.append(Dictionary(uniqueKeysWithValues: open.watched.map { ($0.name, $0.value) }))
    for key in ledgers.keys { ledgers[key]?.begin(entry) }
    let before = open.progress
    try turn(tab, entry) {
      $0.act(name, number)
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
    _ number: Int, _ action: Ledger.Action? = nil, _ body: (RunningTab) -> Void
  ) throws(Problem) {
    guard tabs.indices.contains(number), let tab = tabs[number] else { return }
    body(tab)
    try check(number, after: action)
  }
}
