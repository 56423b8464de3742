import SharingSimulation
import Testing

/// The schedules of tabs detect defects of their store.
@Suite struct BrokenStoreTests {
  @Test func aStampThatNeverChangesIsFound() { expectFound(Simulation(of: StamplessTab.self)) }

  @Test func aWriteThatIsNotDoneIsFound() { expectFound(Simulation(of: LyingTab.self)) }

  @Test func aWriteOfHalfTheBytesIsFound() {
    expectFound(Simulation(of: CuttingTab.self, faults: []))
  }

  @Test func aRemovalThatIsNotDoneIsFound() { expectFound(Simulation(of: KeepingTab.self)) }

  @Test func aReadOfOldBytesIsFound() { expectFound(Simulation(of: CachingTab.self)) }

  @Test func aStoreThatTellsOfNothingIsFound() { expectFound(Simulation(of: TabOfDeafStore.self)) }

  @Test func aKeyThatAnswersTwiceIsFound() {
    let simulation = Simulation(of: HastyTab.self, faults: ["quotaExceeded"])
    expectFound(simulation)
  }

  @Test func aStoreThatPassesEverythingOnHasNoProblem() throws {
    try Simulation(of: SoundTab.self).run(seeds: 0..<100)
  }

  private func expectFound(
    _ simulation: Simulation, _ location: SourceLocation = #_sourceLocation
  ) {
    let failure = thrown { try simulation.run(seeds: 0..<100) }
    #expect(failure != nil, "no schedule of 100 has a problem", sourceLocation: location)
  }
}
