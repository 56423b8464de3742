import SharingCore
import WasiStorage

/// One revision store that some programs share, and the messages between them, which are delivered
/// when somebody says so.
package final class SimulatedDatabase: @unchecked Sendable {
  package var store: ClearableStore
  package let messages = Messages()
  /// Those of programs that run.
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
  /// The form of the store: one that a newer program has given it refuses older programs.
  package var version = 1
  /// Whether notifications come twice.
  package var repeatsNotifications = false
  /// Whether the store has commits made anew with its transaction open, by a program that runs.
  package var rebases = false
  /// What happens to the next commit.
  package var accident = Accident.none
  /// Called with each commit that is stored, once.
  package var onStored: (SimulatedCommit) -> Void = { _ in }
  /// Called after each commit that has arrived.
  package var onCommit: () -> Void = {}
  /// Called with the description of an event that must not happen.
  package var onProblem: (String) -> Void = { _ in } {
    didSet { messages.onProblem = onProblem }
  }

  private var strangers = 0

  package enum Accident {
    case none
    /// Its answer does not arrive.
    case lost
    /// It is given up before it arrives.
    case late
  }

  /// Has something stored by nobody of the programs.
  package func set(_ key: KeyName, to bytes: [UInt8]?) {
    strangers += 1
    let entry = CommitEntry(key: key, expected: nil, bytes: bytes)
    _ = store.answer(
      to: Commit(client: "stranger \(strangers)", after: 0, through: 1, entries: [entry]))
  }

  package init(over store: MemoryRevisionStore = MemoryRevisionStore()) {
    self.store = ClearableStore(store)
  }
}
