import SharingSimulation
import Testing

/// The schedules of tabs detect defects of their store.
@Suite struct BrokenStoreTests {
  @Test func aStampThatNeverChangesIsFound() { expectFound(Simulation<StamplessTab>()) }

  @Test func aWriteThatIsNotDoneIsFound() { expectFound(Simulation<LyingTab>()) }

  @Test func aWriteOfHalfTheBytesIsFound() { expectFound(Simulation<CuttingTab>(faults: [])) }

  @Test func aRemovalThatIsNotDoneIsFound() { expectFound(Simulation<KeepingTab>()) }

  @Test func aReadOfOldBytesIsFound() { expectFound(Simulation<CachingTab>()) }

  @Test func aStoreThatTellsOfNothingIsFound() { expectFound(Simulation<TabOfDeafStore>()) }

  @Test func aKeyThatAnswersTwiceIsFound() {
    let simulation = Simulation<HastyTab>(faults: ["quotaExceeded"])
    expectFound(simulation)
  }

  @Test func aStoreThatPassesEverythingOnHasNoProblem() throws {
    try Simulation<SoundTab>().run(seeds: 0..<100)
  }

  private func expectFound(
    _ simulation: Simulation<some SimulatedTab>, _ location: SourceLocation = #_sourceLocation
  ) {
    let failure = thrown { try simulation.run(seeds: 0..<100) }
    #expect(failure != nil, "no schedule of 100 has a problem", sourceLocation: location)
  }
}
