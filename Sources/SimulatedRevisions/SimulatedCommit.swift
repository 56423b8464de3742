import SharingCommits
import SharingCore
import WasiStorage

/// A commit that a ``SimulatedDatabase`` has stored.
package struct SimulatedCommit {
  /// The commit as it was finally stored.
  package let commit: Commit
  /// The values that its keys had before it.
  package let before: [StoredRevision]
  /// The client's last step before it.
  package let after: Int
  /// The sender: another program if that recovers a journal.
  package let sender: SimulatedConnection
}
