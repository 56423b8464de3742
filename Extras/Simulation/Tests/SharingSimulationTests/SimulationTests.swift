import NativeTesting
import SharingSimulation
import Testing

/// Schedules of programs that change their state: 1,250, multiplied by SHARING_TIMES.
@Suite struct SimulationTests {
  @Test(arguments: chunks) func tabsThatCount(seeds: Range<UInt64>) throws {
    try Simulation(of: CounterTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsWithOneListOfTodos(seeds: Range<UInt64>) throws {
    try Simulation(of: TodosTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsThatPutSavesOff(seeds: Range<UInt64>) throws {
    try Simulation(of: DraftTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsThatReadOneValueToChangeAnother(seeds: Range<UInt64>) throws {
    try Simulation(of: ComposerTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsOfTwoReleases(seeds: Range<UInt64>) throws {
    try Simulation(of: NotesTab.self, NewNotesTab.self, stored: ["notes": #"["tea"]"#])
      .run(seeds: seeds)
  }

  /// A reset that could not read another tab's value is reported as lost.
  @Test func aResetThatCouldNotRead() throws {
    try Simulation(tabs: 2, of: DraftTab.self).replay(
      "act 1 save 15; fail 0 denied 2; act 0 discard 17")
  }

  @Test func halfATextThatItsCodingReadsIsNoLoss() throws {
    try Simulation(tabs: 2, of: LinesTab.self).replay("fail 0 torn 0; act 0 add 2")
  }

  /// Two actions of tab 1 cannot be stored at first. Then the store has the same value already, so
  /// together they change nothing.
  @Test func actionsThatChangeNothingTogether() throws {
    try Simulation(of: CounterTab.self).replay(
      """
      fail 1 denied 2; fail 1 denied 1; act 0 increment 5; act 1 remove 8; act 2 reset 14; \
      act 1 increment 15; act 2 increment 18
      """)
  }

  #if THREAD_SANITIZER
    static let chunks = seeds(25)
  #else
    static let chunks = seeds(250)
  #endif
}
