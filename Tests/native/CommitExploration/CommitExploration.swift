import RandomSteps
import SharingCore
import SimulatedRevisions

/// Explores all sequences of events of two programs that commit, up to a number of events.
///
/// Two events of different programs that commute are performed in one order only. After each
/// sequence, the world comes to its end in each way of ``CommitEnding``.
package final class CommitExploration {
  private let setting: CommitSetting
  /// The number of events of the longest sequences.
  package private(set) var depth = 0
  /// The number of explored sequences.
  package private(set) var count = 0
  /// The number of runs: each sequence is performed once for each ending.
  package private(set) var runCount = 0
  /// The number of sequences with one more event, before those are left out that commute.
  private var nextCount = 1
  /// The problems, each with its shortest sequence.
  private var found: [Problem] = []

  private typealias Problem = (
    kind: [UInt8], text: String, path: [ExploredStep], ending: CommitEnding
  )

  /// The names of the settings.
  package static var names: [String] { CommitSetting.all.map { "\($0.name)" } }

  /// Explores a setting: sequences of one event, then of two, and so on.
  /// - Parameter runLimit: The maximum number of runs. The last length is explored whole.
  package init(_ name: String, runLimit: Int) {
    setting = CommitSetting.all.first { "\($0.name)" == name }!
    explore([])  // no event
    while nextCount > 0, runCount + nextCount * CommitEnding.allCases.count <= runLimit {
      depth += 1
      nextCount = 0
      explore([])
    }
  }

  /// The extent of the exploration in words.
  package var summary: String { "\(count) sequences of up to \(depth) events, \(runCount) runs" }

  /// The problems that were found, each with a line to replay it.
  package var problems: [String] {
    found.map { found in
      let text = ExploredStep.text(found.path)
      return "\(found.text). Replay: '\(setting.name)' \(found.ending.rawValue) '\(text)'"
    }
  }

  private func note(_ problem: String, _ path: [ExploredStep], _ ending: CommitEnding) {
    let kind = problem.utf8.filter { !(0x30...0x39).contains($0) && $0 != 0x2c }
    if let index = found.firstIndex(where: { $0.kind == kind }) {
      if found[index].path.count > path.count { found[index] = (kind, problem, path, ending) }
    } else {
      found.append((kind, problem, path, ending))
    }
  }

  /// Explores all paths of the current length that begin with a path.
  /// - Parameters:
  ///   - former: The uses of the last event but one.
  ///   - formerEvents: The events that were possible before that one.
  ///   - events: The events that were possible before the last one.
  private func explore(
    _ path: [ExploredStep], after former: EventUses = EventUses(),
    _ formerEvents: [ExploredStep] = [], _ events: [ExploredStep] = []
  ) {
    let world = performed(path)
    if let problem = world.problem {
      world.end()
      return note(problem, path, .goOn)
    }
    let uses = path.last.map { EventUses($0, world) } ?? EventUses()
    if let event = path.last, event.a < former.number, formerEvents.contains(event),
      uses.commute(with: former)
    {
      return world.end()
    }
    let nextEvents = world.possibleEvents
    if path.count == depth {
      count += 1
      nextCount += nextEvents.count
      return finish(world, path)
    }
    world.end()
    for event in nextEvents { explore(path + [event], after: uses, events, nextEvents) }
  }

  /// - Parameter isKnown: Whether the whole path has been checked. All before its last event has.
  private func performed(_ path: [ExploredStep], isKnown: Bool = false) -> CommitWorld {
    runCount += 1
    let world = CommitWorld(setting)
    for (index, step) in path.enumerated() {
      world.isChecking = !isKnown && index == path.count - 1
      world.perform(step)
    }
    world.isChecking = true
    return world
  }

  /// Brings a path to its end in each way.
  private func finish(_ world: CommitWorld, _ path: [ExploredStep]) {
    var world = world
    for ending in CommitEnding.allCases {
      if ending.rawValue > 0 { world = performed(path, isKnown: true) }
      world.finish(ending)
      if let problem = world.problem { note(problem, path, ending) }
      world.end()
    }
  }

  // MARK: Replaying

  /// Replays a path of a setting.
  /// - Returns: The state after each step, and the problem.
  package static func replay(_ name: String, ending: Int, _ text: String) -> [String] {
    guard let setting = CommitSetting.all.first(where: { "\($0.name)" == name }),
      let ending = CommitEnding(rawValue: UInt8(ending)),
      let steps = ExploredStep.steps(Array(text.utf8))
    else { return ["one of the words is none"] }
    let world = CommitWorld(setting)
    defer { world.end() }
    var lines = ["at first: \(world.state)"]
    for step in steps {
      guard world.possibleEvents.contains(step) else {
        return lines + ["\(step.text) is not possible"]
      }
      world.perform(step)
      lines.append("\(step.text): \(world.state)")
    }
    world.onStep = { lines.append("  \($0) \(world.state)") }
    if world.problem == nil { world.finish(ending) }
    world.onStep = nil
    lines.append("in the end: \(world.state)")
    return lines + [world.problem ?? "no problem"]
  }
}

/// The items and messages that the last event of a world has used.
struct EventUses {
  /// The program of the event; negative for none.
  private(set) var number = -1
  private var usesStore = false
  private var items: SimulatedJournals.Uses = []

  init() {}

  init(_ event: ExploredStep, _ world: CommitWorld) {
    (number, usesStore, items) = (event.a, event.action.usesStore, world.programs.journals.uses)
  }

  /// Whether two events of different programs have the same effect in either order.
  func commute(with other: EventUses) -> Bool {
    !(usesStore && other.usesStore) && items.leave(other.items) && other.items.leave(items)
  }
}
