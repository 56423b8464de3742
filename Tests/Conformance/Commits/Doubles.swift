import SharingCore
import WasiStorage

/// Replaces what a program of a schedule uses. A test puts broken doubles there, which schedules
/// have to find.
package protocol Doubles: AnyObject, Sendable {
  /// The store of a program; by default its own.
  func store(_ own: any RevisionStore) -> any RevisionStore
  /// The store of a program's journals and copies; by default its own.
  func journals(_ own: any ListedStore) -> any ListedStore
  /// The clock of a program; by default its own.
  func clock(_ own: any SaveClock) -> any SaveClock
}

extension Doubles {
  package func store(_ own: any RevisionStore) -> any RevisionStore { own }
  package func journals(_ own: any ListedStore) -> any ListedStore { own }
  package func clock(_ own: any SaveClock) -> any SaveClock { own }
}

/// The stores and the clock of the programs themselves.
final class NoDoubles: Doubles {}
