import SharingCore

/// Runs a program in several tabs over one store, with events in any order and faults. The steps of
/// its schedules are random, made from seeds, or written down.
///
/// ```swift
/// @Test func noTabLosesAnIncrement() throws {
///   try Simulation<CounterTab>().run(seeds: 0..<1000)
/// }
/// ```
/// Turns of tabs do not overlap, and each reads the stored values: see the README on tabs that
/// write in the very same moment. After each schedule, all messages that are under way arrive.
/// These rules hold then, and before:
/// - No change is lost: a single program that performs the successful actions, in the same order,
///   would have stored the same value. An action has succeeded when the value is no longer being
///   saved and there is no `saveError`. An action has failed if its loss was reported in
///   `loadError`. Actions that are stored without a write, because they have changed nothing
///   together, come at the time of the first one. An action may read other values as its tab shows
///   them, out of date or not; it has to read the values that it changes in `withLock`.
/// - Tabs agree: all show the stored values, except those with an error of loading or saving.
/// - Observers run if a value has changed; except in actions, only then.
/// - No tab writes bytes that are stored already, and the reactions of tabs to each other end.
/// - The half text of a `torn` write is copied before it is overwritten. The value
///   stored before it is lost, by the store's fault.
/// - No issue is reported, and ``SimulatedTab/problem`` is nil.
///
/// Values under `.indexedDB`, `.engine` and `.revisions` are committed to one database, which
/// stands in for each revision store. Requests of a tab, answers, and notifications of commits by
/// other tabs are messages, each with a step of its own. For these values, turns overlap: a tab
/// that has not received a commit continues with the value that it shows. These rules hold, too:
/// - A single program that performs each committed action once, in the order of their commits,
///   would have stored the same value. An action has to read the values that it changes in
///   `update`.
/// - An action is committed in the end if its tab is still open, or if it is in the tab's journal.
///   An update in the journal of an ended tab may be merged, as another tab does not have its
///   closure.
/// - A tab's journal has its shown but uncommitted changes, unless there is no room for them.
/// - A tab without uncommitted changes shows the last stored value that it has received, and never
///   an earlier one.
/// - Tabs agree in the end, except about values that were cleared and not committed since.
public struct Simulation<Tab: SimulatedTab> {
  let tabs: Int
  let length: Int
  let faults: [String]
  let stored: [String: String]

  /// Creates a simulation.
  /// - Parameters:
  ///   - tabs: The number of tabs, 1 or more. At first all of them are open.
  ///   - length: The number of steps of a random schedule.
  ///   - faults: The faults that may happen in a random schedule; see ``replay(_:)``. Every
  ///     schedule can also have events and notifications that arrive late, twice or never,
  ///     conflicting commits, closed tabs, and a cleared store. These are no faults.
  ///   - stored: The text that is stored under each key at first.
  public init(
    tabs: Int = 3, length: Int = 20,
    faults: [String] = [
      "quotaExceeded", "denied", "crash", "torn", "lostAnswer", "lateCommit", "outdated",
    ],
    stored: [String: String] = [:]
  ) {
    (self.tabs, self.length, self.faults, self.stored) = (max(1, tabs), length, faults, stored)
  }

  /// Runs one schedule for each seed.
  /// - Throws: The problem of the first schedule that fails, with the shortest schedule found for
  ///   it.
  public func run(seeds: some Sequence<UInt64>) throws(SimulationFailure) {
    let faults = try faults.map { "fail 0 \($0) 0" }.map(read).compactMap { $0.fault }
    for seed in seeds {
      var steps: [SimulationStep] = []
      do throws(Problem) {
        try run(seed, faults, noting: &steps)
      } catch {
        throw shortest(Attempt(tabs: tabs, steps: steps, problem: error), seed: seed)
      }
    }
  }

  /// Runs the steps of a schedule, such as those of a ``SimulationFailure``.
  ///
  /// ```swift
  /// try Simulation<CounterTab>(tabs: 2).replay("act 0 increment 0; act 1 increment 1")
  /// ```
  /// Between two steps are a semicolon and a space. Tabs have numbers, from 0. A step that is
  /// impossible at its time, such as an action in a closed tab, does nothing. These are the steps:
  /// - `act 0 add 3`: A person performs the action `add` in tab 0; it receives the number 3.
  /// - `deliver 0 todos`: The `storage` event of the key `todos` reaches a tab. `deliver 0` is the
  ///   event of a store that was cleared.
  /// - `lose 0 todos`, `lose 0`: The event never reaches a tab, for example a frozen one.
  /// - `arrive 0`: The oldest request of a tab, a load or a commit, arrives at its revision store,
  ///   which answers. It also arrives if the tab has ended.
  /// - `answer 0`: The oldest answer of the revision store arrives at a tab.
  /// - `notify 0 2`: A notification of stored values reaches a tab: the oldest (0) or a later one
  ///   of those under way. Each commit sends one, also a refused commit, which has stored no new
  ///   values.
  /// - `notifyAgain 0 2`: A notification reaches a tab, and will reach it once more.
  /// - `loseNotification 0 2`: A notification never reaches a tab.
  /// - `wait 0 100`: 100 milliseconds pass for a tab.
  /// - `hide 0`: A tab is hidden: it writes its delayed changes.
  /// - `close 0`: A tab is hidden and closed.
  /// - `crash 0`: A tab ends without notice.
  /// - `open 0`: A tab that was closed, or has crashed, is opened again.
  /// - `fail 0 denied 2`: A later call of a tab's store has a fault: the next call that can have it
  ///   (0), or one that follows after at least 2 calls.
  /// - `clear`: All stored values are removed, by a program outside of the simulation.
  ///
  /// These are the faults:
  /// - `quotaExceeded`: There is no room for a write or commit; the old stored bytes are intact.
  /// - `denied`: The host refuses to read, write or remove, to load or to commit.
  /// - `crash`: The tab ends between two turns, or just before a call.
  /// - `torn`: The tab ends during a write, and half of the text is stored, followed by a zero
  ///   byte. A store must not do that, but a disk can. For commits and journals, this is a crash:
  ///   they are stored completely or not at all.
  /// - `lostAnswer`: A commit is stored, but its answer is lost: the tab gets a failure.
  /// - `lateCommit`: A commit takes too long: the tab gets a failure, and the commit arrives later.
  /// - `outdated`: A tab reads a journal from before another tab's last write. The processes of a
  ///   browser do not see each other's writes at once.
  /// - Throws: The problem of the schedule, with the shortest schedule found for it; or the first
  ///   text that is no step.
  public func replay(_ steps: String) throws(SimulationFailure) {
    let steps = try steps.split(separator: "; ").map(read)
    do throws(Problem) {
      try run(steps)
    } catch {
      throw shortest(Attempt(tabs: tabs, steps: steps, problem: error), seed: nil)
    }
  }

  var items: [KeyName: [UInt8]] {
    Dictionary(uniqueKeysWithValues: stored.map { (KeyName($0.key), Array($0.value.utf8)) })
  }

  /// Returns the same simulation with another number of tabs.
  func with(tabs: Int) -> Self {
    Self(tabs: tabs, length: length, faults: faults, stored: stored)
  }

  func run(_ steps: [SimulationStep]) throws(Problem) {
    let run = try Run(self)
    for step in steps { try run.perform(step) }
    try run.finish(self)
  }

  private func run(
    _ seed: UInt64, _ faults: [SimulatedFault], noting steps: inout [SimulationStep]
  ) throws(Problem) {
    var chance = Chance(seed: seed)
    let run = try Run(self)
    for number in 0..<length {
      let step = chance.step(number, of: run, faults)
      steps.append(step)
      try run.perform(step)
    }
    try run.finish(self)
  }

  private func read(_ text: Substring) throws(SimulationFailure) -> SimulationStep {
    if let step = SimulationStep(text) { return step }
    let problem = """
      \(text.debugDescription) is no step. A step is a text such as "act 0 add 3", in one of the \
      forms in the documentation of replay
      """
    throw failure(problem, seed: nil, "\(text)", tabs)
  }

  func failure(_ problem: String, seed: UInt64?, _ steps: String, _ tabs: Int) -> SimulationFailure
  {
    let stored = stored.isEmpty ? "" : ", stored: \(stored)"
    return SimulationFailure(
      problem: problem, seed: seed, steps: steps,
      simulation: "Simulation<\(Tab.self)>(tabs: \(tabs)\(stored))")
  }
}

/// The problem of a schedule of a ``Simulation``, and the shortest schedule found that has it.
public struct SimulationFailure: Error, Equatable, CustomStringConvertible {
  /// The problem.
  package let problem: String
  /// The seed of the schedule; nil for the steps of ``Simulation/replay(_:)``.
  package let seed: UInt64?
  /// The text of the shortest schedule that was found.
  package let steps: String
  /// The Swift expression of the simulation.
  let simulation: String

  /// The problem, and Swift code that repeats it in a test.
  public var description: String {
    let origin = seed.map { "Seed \($0) fails" } ?? "These steps fail"
    return """
      \(origin): \(problem).
      The shortest schedule that was found:

      try \(simulation).replay(\(steps.debugDescription))
      """
  }
}
