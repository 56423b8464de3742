import NativeTesting
import SharingSimulation
import Testing

/// Schedules of programs that change their state: 1,250, multiplied by SHARING_TIMES.
@Suite struct SimulationTests {
  @Test(arguments: chunks) func tabsThatCount(seeds: Range<UInt64>) throws {
    try Simulation<CounterTab>().run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsWithOneListOfTodos(seeds: Range<UInt64>) throws {
    try Simulation<TodosTab>().run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsThatPutSavesOff(seeds: Range<UInt64>) throws {
    try Simulation<DraftTab>().run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsThatReadOneValueToChangeAnother(seeds: Range<UInt64>) throws {
    try Simulation<ComposerTab>().run(seeds: seeds)
  }

  @Test(arguments: chunks) func tabsOfTwoVersions(seeds: Range<UInt64>) throws {
    try Simulation<NotesTab>(stored: ["notes": #"["tea"]"#]).run(seeds: seeds)
  }

  #if THREAD_SANITIZER
    static let chunks = seeds(25)
  #else
    static let chunks = seeds(250)
  #endif
}
