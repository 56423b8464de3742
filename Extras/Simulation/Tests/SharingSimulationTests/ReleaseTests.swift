import NativeTesting
import SharingSimulation
import Testing

/// Schedules of several releases over one store: 2,000, multiplied by SHARING_TIMES.
@Suite struct ReleaseTests {
  @Test(arguments: chunks[0]) func aReleaseWithOneMoreCase(seeds: Range<UInt64>) throws {
    try Simulation(of: FirstListTab.self, SecondListTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks[0]) func aReleaseWithAMigration(seeds: Range<UInt64>) throws {
    try Simulation(of: SecondListTab.self, ThirdListTab.self).run(seeds: seeds)
  }

  @Test(arguments: chunks[1]) func threeReleases(seeds: Range<UInt64>) throws {
    try Simulation(of: FirstListTab.self, SecondListTab.self, ThirdListTab.self).run(seeds: seeds)
  }

  /// The list is rolled back, and the newer release comes back.
  @Test func aTabIsOpenedAsAnotherRelease() throws {
    try Simulation(tabs: 1, of: FirstListTab.self, SecondListTab.self).replay(
      "act 0 add 0; close 0; open 0 1; act 0 add 3; close 0; open 0 0; act 0 add 6; open 0 1")
  }

  /// An old tab stores a turn of two values, of which it can read one.
  @Test func theRestOfATurnIsNotTakenForTheWholeTurn() throws {
    try Simulation(tabs: 2, of: FirstListTab.self, SecondListTab.self).replay(
      """
      fail 1 crash 1; act 1 add 7; open 1 0; act 0 add 9; act 1 add and count 17
      """)
  }

  /// The newer tab's journal waits, and the older tab cannot load the other value of the turn at
  /// first.
  @Test func aLoadThatWasRefusedIsTriedAgain() throws {
    try Simulation(tabs: 2, of: FirstListTab.self, SecondListTab.self).replay(
      "act 1 add and count 13; act 1 add 16; close 1; fail 1 denied 2; open 1 0")
  }

  /// Two older tabs show changes that depend on each other, behind one of a newer release. The
  /// second tab's journal is found after the newer one's waits.
  @Test func aJournalThatIsFoundLaterWaitsForTheOlderOnes() throws {
    try Simulation(tabs: 2, of: FirstListTab.self, SecondListTab.self).replay(
      """
      act 1 add 1; close 0; act 1 add and count 6; open 0 0; act 0 add and count 8; crash 1; \
      open 1 0; act 1 add and count 14
      """)
  }

  /// An older tab finds a newer one's journal, and not yet the journal on which it depends.
  @Test func aNewerChangeOnAChangeThatIsNotFoundIsNotStoredByAnOlderTab() throws {
    try Simulation(tabs: 3, of: FirstListTab.self, SecondListTab.self).replay(
      """
      crash 2; act 0 count 6; act 1 add and count 7; open 2 1; act 2 add 12; crash 0; \
      fail 0 outdated 1; open 0 0
      """)
  }

  /// An older tab rings for a journal, and another one rings before the newest tab has read it.
  @Test func aRingForAnotherJournalHidesNone() throws {
    try Simulation(tabs: 3, of: FirstListTab.self, SecondListTab.self, ThirdListTab.self).replay(
      """
      act 2 add 3; act 0 count 4; act 0 add 5; fail 0 torn 0; act 0 add 8; open 0 0; act 1 add 15; \
      act 0 count 19
      """)
  }

  /// An older tab shows another one's changes, and makes its own on top of them. Then the first tab
  /// reads the journal of these.
  @Test func aJournalStaysBeforeThoseThatWereMadeOnTopOfIt() throws {
    try Simulation(tabs: 3, of: FirstListTab.self, SecondListTab.self, ThirdListTab.self).replay(
      """
      act 2 add 0; fail 0 lostAnswer 1; act 0 add 8; act 0 add and count 9; crash 1; open 1 1; \
      act 1 add and count 15
      """)
  }

  /// The same, and the first tab has run its changes again before it reads that journal.
  @Test func aProgramMakesNoChangeAgainOnTopOfALaterOne() throws {
    try Simulation(tabs: 3, of: FirstListTab.self, SecondListTab.self, ThirdListTab.self).replay(
      """
      act 2 add 0; arrive 2; fail 0 lostAnswer 1; arrive 2; arrive 2; act 0 add and count 9; \
      crash 1; open 1 1; act 1 add and count 15; notify 0 0
      """)
  }

  /// A newer tab replaces a change of an older one, which cannot read the result.
  @Test func aReplacedChangeDoesNotHideThatANewerReleaseIsOpen() throws {
    try Simulation(tabs: 2, of: SecondListTab.self, ThirdListTab.self).replay(
      """
      arrive 0; arrive 0; act 0 add 7; arrive 0; notify 1 0; act 0 rename 14; act 1 rename 15
      """)
  }

  @Test func anOlderReleaseThatEmptiesWhatItCannotReadIsFound() {
    let failure = thrown {
      try Simulation(tabs: 2, of: EmptyingListTab.self, SecondListTab.self).replay(
        """
        arrive 1; arrive 1; answer 1; act 1 add 1; arrive 1; notify 0 0; act 0 add 2
        """)
    }
    #expect(failure?.problem.contains("which its release cannot read") == true)
  }

  @Test func aMigrationThatForgetsAnItemIsFound() throws {
    let simulation = Simulation(tabs: 2, of: SecondListTab.self, ForgettingListTab.self)
    let failure = try #require(found(in: simulation))
    #expect(failure.problem.contains(#"the stored value of "items" is []; a single program"#))
    #expect(failure.description.contains("of: SecondListTab.self, ForgettingListTab.self)"))
    let again = thrown { try simulation.replay(failure.steps) }
    #expect(again?.problem == failure.problem)
  }

  @Test func aChangeThatWaitsInNoJournalIsFound() {
    let failure = found(in: Simulation(of: ForgetfulListTab.self, SecondListTab.self))
    #expect(failure?.problem.contains("which is in no journal") == true)
  }

  private func found(in simulation: Simulation) -> SimulationFailure? {
    thrown { try simulation.run(seeds: 0..<100) }
  }

  #if THREAD_SANITIZER
    static let chunks = [seeds(35), seeds(30)]
  #else
    static let chunks = [seeds(700), seeds(600)]
  #endif
}
