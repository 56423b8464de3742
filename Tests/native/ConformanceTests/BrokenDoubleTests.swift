import Conformance
import NativeTesting
import SharingCommits
import SharingCore
import SimulatedPrograms
import SimulatedRevisions
import Testing
import WasiStorage

/// Schedules of commits detect defects below a program: in its revision store, its store of
/// journals, or its clock. Walks of the library detect defects in a host's store.
@Suite struct BrokenDoubleTests {
  @Test(arguments: BrokenStores.all)
  func aBrokenRevisionStoreIsFound(store: BrokenStores) {
    expectFound(store)
  }

  @Test(arguments: JournalDefect.allCases)
  func aBrokenStoreOfJournalsIsFound(defect: JournalDefect) {
    expectFound(BrokenJournalStores(defect))
  }

  @Test func aStoppedClockIsFound() {
    expectFound(StoppedClocks())
  }

  @Test(arguments: [StoreDefect.lying, .cutting, .keeping, .caching])
  func aBrokenStoreOfAHostIsFound(defect: StoreDefect) {
    let host = Host("broken") { BrokenStore(MemoryStore(), defect) }
    #expect((1...20).contains { Walks.run(seed: $0, on: host) != nil })
  }

  @Test func doublesThatPassEverythingOnHaveNoProblem() {
    let host = Host("sound") { BrokenStore(MemoryStore(), .none) }
    #expect(!(1...10).contains { Walks.run(seed: $0, on: host) != nil })
    for doubles: any Doubles in [BrokenStores(PassingStore.self), BrokenJournalStores(nil)] {
      #expect(CommitSchedules.firstProblem(seeds: 1...100, with: doubles) == nil)
    }
  }

  private func expectFound(
    _ doubles: some Doubles, _ location: SourceLocation = #_sourceLocation
  ) {
    let problem = CommitSchedules.firstProblem(seeds: 1...20, with: doubles)
    #expect(problem != nil, "no schedule of 20 has a problem", sourceLocation: location)
  }
}

/// Programs with a broken revision store.
final class BrokenStores: Doubles, CustomTestStringConvertible {
  private let kind: PassingStore.Type

  init(_ kind: PassingStore.Type) {
    self.kind = kind
  }

  static let all = [
    BrokenStores(LosingStore.self), BrokenStores(NamelessStore.self),
    BrokenStores(OverwritingStore.self), BrokenStores(PartialStore.self),
    BrokenStores(OutdatedStore.self), BrokenStores(HastyStore.self),
    BrokenStores(RepeatingStore.self), BrokenStores(SilentStore.self),
  ]

  var testDescription: String { "\(kind)" }

  func store(_ own: any RevisionStore) -> any RevisionStore { kind.init(own) }
}

/// Programs with a broken store of journals.
private final class BrokenJournalStores: Doubles {
  private let defect: JournalDefect?
  private let first = FirstJournals()

  init(_ defect: JournalDefect?) {
    self.defect = defect
  }

  func journals(_ own: any ListedStore) -> any ListedStore { BrokenJournals(own, defect, first) }
}

/// Programs with a broken clock.
private final class StoppedClocks: Doubles {
  func clock(_ own: any SaveClock) -> any SaveClock { StoppedClock() }
}
