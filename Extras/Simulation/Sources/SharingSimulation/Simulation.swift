import SharingCore

/// Runs a program in several tabs over one store, with events in any order and faults. The steps of
/// its schedules are random, made from seeds, or written down.
///
/// ```swift
/// @Test func noTabLosesAnIncrement() throws {
///   try Simulation(of: CounterTab.self).run(seeds: 0..<1000)
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
/// - No tab writes bytes that are stored already, and the reactions of tabs to each other end. In
///   the end, an event without a change causes no write, and runs no observers.
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
/// - Tabs agree in the end, except about values that were cleared and not committed since.
///
/// A simulation of several releases runs them over one store, as when the next release of an app
/// opens beside its older tabs, and when it is rolled back:
///
/// ```swift
/// try Simulation(of: TodosV1.self, TodosV2.self).run(seeds: 0..<1000)
/// ```
/// Tab 0 begins as the first release, tab 1 as the second one, and so on. A closed tab can be
/// opened as any release. A schedule ends with a new tab of the newest release. The same rules
/// hold, with these differences:
/// - No change of a release is lost or stored twice: the single program is of the newest release,
///   and performs the action of the same name. The actions of an older release may be merged, so
///   the stored value need only have the same part (``SimulatedValue/init(_:_:comparing:)``):
///   the elements that were added, the sum of the numbers. Each release has the names of its
///   values and actions in common with the newest one, with the same effect on this part.
/// - No release commits another text in place of one that it cannot read.
/// - Tabs of the newest release agree. A tab of an older release shows the stored values as far as
///   a new tab of its release can read them, and an error otherwise.
public struct Simulation {
  var tabs: Int
  /// The oldest one first.
  let releases: [Release]
  let length: Int
  let faults: [String]
  let stored: [String: String]

  /// Creates a simulation.
  /// - Parameters:
  ///   - tabs: The number of tabs, 1 or more. At first all of them are open.
  ///   - program: The program, or its oldest release.
  ///   - newer: Newer releases, the newest one last.
  ///   - length: The number of steps of a random schedule.
  ///   - faults: The faults that may happen in a random schedule; see ``replay(_:)``. Every
  ///     schedule can also have events and notifications that arrive late, twice or never,
  ///     conflicting commits, and closed tabs, and with one release a cleared store. These are no
  ///     faults.
  ///   - stored: The text that is stored under each key at first.
  public init(
    tabs: Int = 3, of program: any SimulatedTab.Type, _ newer: any SimulatedTab.Type...,
    length: Int = 20,
    faults: [String] = [
      "quotaExceeded", "denied", "crash", "torn", "lostAnswer", "lateCommit", "outdated",
    ],
    stored: [String: String] = [:]
  ) {
    self.tabs = max(1, tabs)
    releases = ([program] + newer).enumerated().map { Release(number: $0, program: $1) }
    (self.length, self.faults, self.stored) = (length, faults, stored)
  }

  /// Runs one schedule for each seed.
  /// - Throws: The problem of the first schedule that fails, with the shortest schedule found for
  ///   it.
  public func run(seeds: some Sequence<UInt64>) throws(SimulationFailure) {
    let faults = try faults.map { "fail 0 \($0) 0" }.map(read).compactMap { $0.fault }
    for seed in seeds {
      var chance = Chance(seed: seed)
      var steps: [SimulationStep] = []
      do throws(Problem) {
        let run = try Run(self)
        for number in 0..<length {
          let step = chance.step(number, of: run, faults)
          steps.append(step)
          try run.perform(step)
        }
        try run.finish()
      } catch {
        throw shortest(Attempt(tabs: tabs, steps: steps, problem: error), seed: seed)
      }
    }
  }

  /// Runs the steps of a schedule, such as those of a ``SimulationFailure``.
  ///
  /// ```swift
  /// try Simulation(tabs: 2, of: CounterTab.self).replay("act 0 increment 0; act 1 increment 1")
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
  ///   values. With several releases, only a stored commit does, to the other tabs. A change that
  ///   waits for another release sends one to the other tabs, too.
  /// - `notifyAgain 0 2`: A notification reaches a tab, and will reach it once more.
  /// - `loseNotification 0 2`: A notification never reaches a tab.
  /// - `wait 0 100`: 100 milliseconds pass for a tab.
  /// - `hide 0`: A tab is hidden: it writes its delayed changes.
  /// - `close 0`: A tab is hidden and closed.
  /// - `crash 0`: A tab ends without notice.
  /// - `open 0`: A tab that was closed, or has crashed, is opened again.
  /// - `open 0 1`: The same, as the second of several releases. Releases have numbers, from 0.
  /// - `fail 0 denied 2`: A later call of a tab's store has a fault: the next call that can have it
  ///   (0), or one that follows after at least 2 calls.
  /// - `clear`: All stored values are removed, by a program outside of the simulation.
  ///
  /// These are the faults:
  /// - `quotaExceeded`: There is no room for a write or commit; the old stored bytes are intact.
  /// - `denied`: The host refuses to read, write or remove, to load or to commit.
  /// - `crash`: The tab ends between two turns, or just before a call.
  /// - `torn`: The tab ends during a write, and half of the text is stored, followed by a zero
  ///   byte. A store must not do that, but a disk can. The actions before it may be lost. For
  ///   commits and journals, this is a crash: they are stored completely or not at all.
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

  var newest: Release { releases[releases.count - 1] }

  /// Returns an origin with the texts that are stored at first.
  func makeOrigin() -> Origin {
    Origin(
      Dictionary(uniqueKeysWithValues: stored.map { (KeyName($0.key), Array($0.value.utf8)) }))
  }

  func run(_ steps: [SimulationStep]) throws(Problem) {
    let run = try Run(self)
    for step in steps { try run.perform(step) }
    try run.finish()
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
    let programs = releases.map { "\($0.program).self" }.joined(separator: ", ")
    let stored = stored.isEmpty ? "" : ", stored: \(stored)"
    return SimulationFailure(
      problem: problem, seed: seed, steps: steps,
      simulation: "Simulation(tabs: \(tabs), of: \(programs)\(stored))")
  }
}
