import SharingCommits
import SharingCore
import SimulatedPrograms
import WasiStorage

// The values of a program.
extension Program {
  func count(_ name: String = "count") -> Shared<Int> {
    run { Shared(wrappedValue: 0, .revisions(name, in: store)) }
  }

  /// Returns a count that adopts the value of an old key.
  func adoptingCount() -> Shared<Int> {
    run {
      Shared(wrappedValue: 0, .revisions("count", in: store, adopting: .localStorage("old")))
    }
  }

  func tasks() -> Shared<[Task]> {
    run { Shared(wrappedValue: [], .revisions("tasks", in: store)) }
  }

  func tally() -> Shared<Tally> {
    run { Shared(wrappedValue: Tally(), .revisions("tally", in: store)) }
  }
}
