import SharingCommits
import SharingCore
import WasiStorage

/// A revision store that several programs share, and the messages between them, which are delivered
/// by explicit calls.
package final class SimulatedDatabase: @unchecked Sendable {
  package var store: ClearableStore
  package let messages = Messages()
  /// The connections of the running programs.
  package internal(set) var connections: [SimulatedConnection] = []
  /// The number of commits sent.
  package internal(set) var commits = 0
  /// Whether the store cannot be reached.
  package var isOffline = false
  /// Whether the store has no room for another commit.
  package var isFull = false
  /// The maximum size of a value in bytes; nil for no limit.
  package var sizeLimit: Int?
  /// The key with values that no program may store.
  package var deniedKey: KeyName?
  /// The version of the store. A store of a newer version refuses older programs.
  package var version = 1
  /// Whether each notification is sent twice.
  package var repeatsNotifications = false
  /// Whether only other programs are notified, and only of commits that are stored. Otherwise each
  /// program is notified after each commit.
  package var notifiesOthersOnly = false
  /// Whether a running program repeats a conflicting commit within the store's open transaction.
  package var rebases = false
  /// The accident of the next commit.
  package var accident = Accident.none
  /// Called once for each stored commit.
  package var onStored: (SimulatedCommit) -> Void = { _ in }
  /// Called after each arrived commit, stored or refused.
  package var onCommit: () -> Void = {}
  /// Called with the description of an event that must not happen.
  package var onProblem: (String) -> Void = { _ in } {
    didSet { messages.onProblem = onProblem }
  }

  /// The number of values that were set by programs without a connection.
  private var externalWrites = 0

  package enum Accident {
    case none
    /// The commit arrives and its answer is lost: the program gets a failure.
    case lost
    /// The program gets a failure before the commit arrives.
    case late
  }

  /// Stores a value as a program that has no connection here.
  package func set(_ key: KeyName, to bytes: [UInt8]?) {
    externalWrites += 1
    let entry = CommitEntry(key: key, expected: nil, bytes: bytes)
    _ = store.answer(
      to: Commit(client: "stranger \(externalWrites)", after: 0, through: 1, entries: [entry]))
  }

  package init(over store: MemoryRevisionStore = MemoryRevisionStore()) {
    self.store = ClearableStore(store)
  }
}

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
