import SimulatedRevisions

/// Makes up the steps of a schedule: always the same ones for a seed.
struct Chance {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// A step that makes sense now.
  mutating func step<Tab>(
    _ number: Int, of run: Run<Tab>, _ faults: [SimulatedFault]
  ) -> SimulationStep {
    let tab = below(run.tabs.count)
    let faults = faults.filter { run.commits || !$0.isOfCommitsOnly }
    if run.commits, let step = message(tab, run.origin.database.messages) { return step }
    guard run.tabs[tab] != nil else { return percent(70) ? .open(tab) : fault(tab, faults) }
    let events = run.origin.events[tab] ?? []
    switch below(100) {
    case 0..<25 where !events.isEmpty: return .deliver(tab, one(of: events)?.description)
    case 25..<29 where !events.isEmpty: return .lose(tab, one(of: events)?.description)
    case 30..<38: return .wait(tab, milliseconds: one(of: [10, 100, 1000]))
    case 38..<41: return .hide(tab)
    case 41..<43: return .close(tab)
    case 43..<46 where faults.contains(.crash): return .crash(tab)
    case 43..<46: return .hide(tab)
    case 46: return .clear
    case 47..<60: return fault(tab, faults)
    default:
      return Tab.actions.isEmpty ? .hide(tab) : .act(tab, one(of: Tab.actions).name, number)
    }
  }

  /// Something arrives that has to do with the database; nil where nothing does.
  private mutating func message(_ tab: Int, _ messages: Messages) -> SimulationStep? {
    guard percent(50) else { return nil }
    let notifications = messages.count(.notification, of: tab)
    switch below(4) {
    case 0 where messages.count(.answer, of: tab) > 0: return .answer(tab)
    case 1 where notifications > 0:
      let number = below(notifications)
      return switch below(8) {
      case 0: .notifyAgain(tab, number)
      case 1: .loseNotification(tab, number)
      default: .notify(tab, number)
      }
    default: return messages.count(.question, of: tab) > 0 ? .arrive(tab) : nil
    }
  }

  private mutating func fault(_ tab: Int, _ faults: [SimulatedFault]) -> SimulationStep {
    faults.isEmpty ? .hide(tab) : .fail(tab, one(of: faults), after: below(5))
  }

  private mutating func percent(_ share: Int) -> Bool {
    below(100) < share
  }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  private mutating func below(_ count: Int) -> Int {
    Int(next() % UInt64(count))
  }

  /// SplitMix64, by Sebastiano Vigna: https://prng.di.unimi.it/splitmix64.c
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
