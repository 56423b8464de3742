import SharingCore
import WasiStorage

/// A commit that a ``SimulatedDatabase`` has stored.
package struct SimulatedCommit {
  /// As it was made in the end.
  package let commit: Commit
  /// What was stored before it under its keys.
  package let before: [StoredRevision]
  /// The client's last step before it.
  package let after: Int
  /// Who has sent it: another program where that recovers a journal.
  package let sender: SimulatedConnection
}
