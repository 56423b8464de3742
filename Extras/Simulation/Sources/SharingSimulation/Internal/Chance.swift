import RandomSteps
import SimulatedRevisions

/// Makes the random steps of a schedule, always the same ones for a seed.
struct Chance {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Returns a step that is possible now.
  mutating func step<Tab>(
    _ number: Int, of run: Run<Tab>, _ faults: [SimulatedFault]
  ) -> SimulationStep {
    let tab = random.below(run.tabs.count)
    let faults = faults.filter { run.commits || !$0.isOfCommitsOnly }
    if run.commits, let step = message(tab, run.origin.database.messages) { return step }
    guard run.tabs[tab] != nil else { return random.percent(70) ? .open(tab) : fault(tab, faults) }
    let events = run.origin.events[tab] ?? []
    switch random.below(100) {
    case 0..<25 where !events.isEmpty: return .deliver(tab, random.one(of: events)?.description)
    case 25..<29 where !events.isEmpty: return .lose(tab, random.one(of: events)?.description)
    case 30..<38: return .wait(tab, milliseconds: random.one(of: [10, 100, 1000]))
    case 38..<41: return .hide(tab)
    case 41..<43: return .close(tab)
    case 43..<46 where faults.contains(.crash): return .crash(tab)
    case 43..<46: return .hide(tab)
    case 46: return .clear
    case 47..<60: return fault(tab, faults)
    default:
      return Tab.actions.isEmpty ? .hide(tab) : .act(tab, random.one(of: Tab.actions).name, number)
    }
  }

  /// Returns the arrival of a message of the database; nil if there is none.
  private mutating func message(_ tab: Int, _ messages: Messages) -> SimulationStep? {
    guard random.percent(50) else { return nil }
    let notifications = messages.count(.notification, of: tab)
    switch random.below(4) {
    case 0 where messages.count(.answer, of: tab) > 0: return .answer(tab)
    case 1 where notifications > 0:
      let number = random.below(notifications)
      return switch random.below(8) {
      case 0: .notifyAgain(tab, number)
      case 1: .loseNotification(tab, number)
      default: .notify(tab, number)
      }
    default: return messages.count(.question, of: tab) > 0 ? .arrive(tab) : nil
    }
  }

  private mutating func fault(_ tab: Int, _ faults: [SimulatedFault]) -> SimulationStep {
    faults.isEmpty ? .hide(tab) : .fail(tab, random.one(of: faults), after: random.below(5))
  }
}
