import SharingCommits
import SharingCore
import WasiStorage

/// Replaces the dependencies of a schedule's program. Tests use broken doubles, which schedules
/// must detect.
package protocol Doubles: AnyObject, Sendable {
  /// Returns the store of a program; by default its own.
  func store(_ own: any RevisionStore) -> any RevisionStore
  /// Returns the store of a program's journals and copies; by default its own.
  func journals(_ own: any ListedStore) -> any ListedStore
  /// Returns the clock of a program; by default its own.
  func clock(_ own: any SaveClock) -> any SaveClock
}

extension Doubles {
  package func store(_ own: any RevisionStore) -> any RevisionStore { own }
  package func journals(_ own: any ListedStore) -> any ListedStore { own }
  package func clock(_ own: any SaveClock) -> any SaveClock { own }
}

/// Keeps the stores and the clocks of the programs.
package final class NoDoubles: Doubles {
  package init() {}
}
