import SharingSimulation
import Testing

/// 12,500 schedules of what programs do with their state.
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

  // Two at a time, where there are two processors.
  #if THREAD_SANITIZER
    static let chunks: [Range<UInt64>] = [0..<50]
  #else
    static let chunks: [Range<UInt64>] = [0..<1250, 1250..<2500]
  #endif
}
