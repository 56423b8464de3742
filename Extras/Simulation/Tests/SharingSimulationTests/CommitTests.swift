import NativeTesting
import SharingCore
import SharingSimulation
import Testing
import WasiStorage

/// Schedules of programs with committed values: 400, multiplied by SHARING_TIMES.
@Suite struct CommitTests {
  @Test(arguments: chunks) func tabsThatCount(seeds: Range<UInt64>) throws {
    try Simulation(of: TallyTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks) func aTabThatCountsAlone(seeds: Range<UInt64>) throws {
    try Simulation(tabs: 1, of: TallyTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsWithAValueThatAMergeCanBreak(seeds: Range<UInt64>) throws {
    try Simulation(of: SpanTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsWithOneListOfTodos(seeds: Range<UInt64>) throws {
    try Simulation(of: CommittedTodosTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsThatAddHabitsAsTheTutorialDoes(seeds: Range<UInt64>) throws {
    try Simulation(of: HabitsTab.self).run(seeds: seeds)
    try Simulation(tabs: 2, of: HabitsTab.self).replay("act 0 add 0; act 1 add 1")
  }

  @Test(arguments: chunks) func tabsThatAppendTheNextNumber(seeds: Range<UInt64>) throws {
    try Simulation(of: NumberedTab.self).run(seeds: seeds)
    try Simulation(tabs: 2, of: NumberedTab.self).replay("act 0 add 0; act 1 add 1")
  }

  @Test(arguments: chunks) func tabsWithValuesInSeveralStores(seeds: Range<UInt64>) throws {
    try Simulation(of: StoresTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsThatTakeOverAnOldValue(seeds: Range<UInt64>) throws {
    try Simulation(of: AdoptingTab.self, stored: ["old": "[5]"]).run(seeds: seeds)
  }

  @Test func aChangeOfWhatWasReadOutsideOfUpdateIsFoundAndReplayed() throws {
    let failure = try #require(
      thrown { try Simulation(of: CarelessTallyTab.self).run(seeds: 0..<100) })
    #expect(failure.steps == "act 0 count 0; act 1 count 1")
    let problem = """
      the stored value of "tally" is 1; a single program with the same successful actions would \
      have stored 2. The cause is a change made from a shown value, which may be out of date: an \
      action that changes "tally" has to read it in update
      """
    #expect(failure.problem == problem)
    #expect(failure.description.contains(".replay(\"\(failure.steps)\")"))
    let again = thrown { try Simulation(tabs: 2, of: CarelessTallyTab.self).replay(failure.steps) }
    #expect(again?.problem == problem)
    #expect(again?.steps == failure.steps)
  }

  @Test func aChangeOfWhatWasReadInWithLockIsFound() {
    let failure = thrown { try Simulation(of: LockingTallyTab.self).run(seeds: 0..<100) }
    #expect(failure?.steps == "act 0 count 0; act 1 count 1")
    #expect(failure?.problem.contains("has to read it in update") == true)
  }

  @Test func aSeedMakesTheSameScheduleEachTime() {
    let failures = (1...3).map { _ in
      thrown { try Simulation(of: CarelessTallyTab.self).run(seeds: 0..<100) }
    }
    #expect(failures[0] != nil)
    #expect(failures[1] == failures[0])
    #expect(failures[2] == failures[0])
  }

  #if THREAD_SANITIZER
    static let chunks = seeds(10)
  #else
    static let chunks = seeds(50)
  #endif
}

/// Returns the failure that a simulation throws.
func thrown(_ body: () throws -> Void) -> SimulationFailure? {
  do {
    try body()
    return nil
  } catch {
    return error as? SimulationFailure
  }
}
