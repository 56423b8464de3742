import SharingCore

/// Several tabs of one program over one store, with events in any order and faults: schedules of
/// steps, drawn at random from seeds or written down.
///
/// ```swift
/// @Test func noTabLosesAnIncrement() throws {
///   try Simulation<CounterTab>().run(seeds: 0..<1000)
/// }
/// ```
/// Turns of tabs do not overlap, and each reads the stored values: see the README on tabs that
/// write in the very same moment. After each schedule, all messages that are under way arrive.
/// These rules hold then, and before:
/// - Nothing is lost: the stored value is the one that a single program would have made with the
///   actions that succeeded, in the order in which they did. An action has succeeded if the value
///   is not being saved any more and there is no `saveError`. One that failed before, with its loss
///   reported in `loadError`, has not. An action may read values that it does not change as its tab
///   shows them, out of date or not; values that it changes it has to read in `withLock`.
/// - Tabs agree: all show the stored values, except those with an error of loading or saving.
/// - Observers run if a value has changed; other than for actions, only then.
/// - No tab writes bytes that are stored already, and tabs that react to each other come to rest.
/// - Half a text, which a ``SimulatedFault/torn`` write has left, is set aside before it is
///   overwritten. The value stored before it is lost, by the store's fault.
/// - No issue is reported, and ``SimulatedTab/problem`` is nil.
///
/// Values under `.indexedDB`, `.engine` and `.revisions` are committed to one database, which
/// stands in for each revision store. Requests of a tab, answers, and notifications of commits by
/// other tabs are messages, each with a step of its own. For these values, turns overlap: a tab
/// that has not received a commit continues with the value that it shows. These rules hold, too:
/// - The stored value is the one that a single program would have made with the committed actions,
///   in the order of their commits, each once. An action has to read in `update` the values that it
///   changes.
/// - An action is committed in the end if its tab is still open, or if its journal has it. An
///   update in the journal of a tab that is gone may merge, as another tab does that without its
///   closure.
/// - A tab's journal has its shown but uncommitted changes, unless there is no room for them.
/// - A tab without uncommitted changes shows the last stored value that it has received, and never
///   an earlier one.
/// - Tabs agree in the end, except about values that were cleared and not committed since.
public struct Simulation<Tab: SimulatedTab> {
  let tabs: Int
  let length: Int
  let faults: [SimulatedFault]
  let stored: [String: String]

  /// A simulation.
  /// - Parameters:
  ///   - tabs: How many tabs there are, 1 or more. At first all of them are open.
  ///   - length: The number of steps of a random schedule.
  ///   - faults: The failures that may happen in one. Events and notifications that come late,
  ///     twice or never, commits that meet, tabs that are closed, and a store that is cleared are
  ///     no faults: they can happen in every schedule.
  ///   - stored: The values that are stored at first.
  public init(
    tabs: Int = 3, length: Int = 20, faults: [SimulatedFault] = SimulatedFault.allCases,
    stored: [String: String] = [:]
  ) {
    (self.tabs, self.length, self.faults, self.stored) = (max(1, tabs), length, faults, stored)
  }

  /// Runs one schedule for each seed.
  /// - Throws: The problem of the first schedule that fails, with the shortest schedule found for
  ///   it.
  public func run(seeds: some Sequence<UInt64>) throws(SimulationFailure) {
    for seed in seeds {
      var steps: [SimulationStep] = []
      do throws(Problem) {
        try run(seed, noting: &steps)
      } catch {
        throw shortest(Attempt(tabs: tabs, steps: steps, problem: error), seed: seed)
      }
    }
  }

  /// Runs a schedule that is written down, such as one that a ``SimulationFailure`` has shown.
  ///
  /// ```swift
  /// try Simulation<CounterTab>(tabs: 2).replay([
  ///   .act(0, "increment", 0),
  ///   .act(1, "increment", 1),
  /// ])
  /// ```
  /// - Throws: The problem of the schedule, with the shortest schedule found for it.
  public func replay(_ steps: [SimulationStep]) throws(SimulationFailure) {
    do throws(Problem) {
      try run(steps)
    } catch {
      throw shortest(Attempt(tabs: tabs, steps: steps, problem: error), seed: nil)
    }
  }

  var items: [KeyName: [UInt8]] {
    Dictionary(uniqueKeysWithValues: stored.map { (KeyName($0.key), Array($0.value.utf8)) })
  }

  /// The same with another number of tabs.
  func with(tabs: Int) -> Self {
    Self(tabs: tabs, length: length, faults: faults, stored: stored)
  }

  func run(_ steps: [SimulationStep]) throws(Problem) {
    let run = try Run(self)
    for step in steps { try run.perform(step) }
    try run.finish(self)
  }

  private func run(_ seed: UInt64, noting steps: inout [SimulationStep]) throws(Problem) {
    var chance = Chance(seed: seed)
    let run = try Run(self)
    for number in 0..<length {
      let step = chance.step(number, of: run, faults)
      steps.append(step)
      try run.perform(step)
    }
    try run.finish(self)
  }
}
