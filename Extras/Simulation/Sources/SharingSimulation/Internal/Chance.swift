import RandomSteps
import SimulatedRevisions

/// Makes the random steps of a schedule, always the same ones for a seed.
struct Chance {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Returns a step that is possible now.
  mutating func step(
    _ number: Int, of run: Run, _ faults: [SimulatedFault]
  ) -> SimulationStep {
    let tab = random.below(run.tabs.count)
    let faults = faults.filter { run.commits || !$0.isOfCommitsOnly }
    if run.commits, let step = message(tab, run.origin.database.messages) { return step }
    guard let release = run.tabs[tab]?.release else {
      return random.percent(70) ? open(tab, run.simulation.releases.count) : fault(tab, faults)
    }
    let events = run.origin.events[tab] ?? []
    switch random.below(100) {
    case 0..<25 where !events.isEmpty:
      return SimulationStep(.deliver, tab, random.one(of: events)?.description)
    case 25..<29 where !events.isEmpty:
      return SimulationStep(.lose, tab, random.one(of: events)?.description)
    case 30..<38: return SimulationStep(.wait, tab, number: random.one(of: [10, 100, 1000]))
    case 38..<41: return SimulationStep(.hide, tab)
    case 41..<43: return SimulationStep(.close, tab)
    case 43..<46: return SimulationStep(faults.contains(.crash) ? .crash : .hide, tab)
    case 46 where run.simulation.releases.count == 1: return SimulationStep(.clear)
    case 47..<60: return fault(tab, faults)
    default:
      let actions = release.program.actionNames
      guard !actions.isEmpty else { return SimulationStep(.hide, tab) }
      return SimulationStep(.act, tab, random.one(of: actions), number: number)
    }
  }

  private mutating func open(_ tab: Int, _ releases: Int) -> SimulationStep {
    SimulationStep(.open, tab, releases > 1 ? "\(random.below(releases))" : nil)
  }

  /// Returns the arrival of a message of the database; nil if there is none.
  private mutating func message(_ tab: Int, _ messages: Messages) -> SimulationStep? {
    guard random.percent(50) else { return nil }
    let notifications = messages.count(.notification, of: tab)
    switch random.below(4) {
    case 0 where messages.count(.answer, of: tab) > 0: return SimulationStep(.answer, tab)
    case 1 where notifications > 0:
      let number = random.below(notifications)
      return switch random.below(8) {
      case 0: SimulationStep(.notifyAgain, tab, number: number)
      case 1: SimulationStep(.loseNotification, tab, number: number)
      default: SimulationStep(.notify, tab, number: number)
      }
    default:
      return messages.count(.question, of: tab) > 0 ? SimulationStep(.arrive, tab) : nil
    }
  }

  private mutating func fault(_ tab: Int, _ faults: [SimulatedFault]) -> SimulationStep {
    if faults.isEmpty { return SimulationStep(.hide, tab) }
    let fault = random.one(of: faults).rawValue
    return SimulationStep(.fail, tab, fault, number: random.below(5))
  }
}
