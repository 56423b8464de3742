import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// Replaces one revision store of a tab: its access to the database of the origin, with faults.
final class TabRevisions: RevisionStore, @unchecked Sendable {
  let connection: SimulatedConnection
  private let faults: TabFaults
  /// The keys that the program has tried to load. The connection has those that were not refused.
  private(set) var keys: [KeyName] = []
  /// Whether a load of the tab was answered in this turn.
  private(set) var hasLoaded = false
  /// The last revision of each key that the program has received.
  private var revisions: [KeyName: Int64] = [:]

  init(_ connection: SimulatedConnection, _ faults: TabFaults) {
    self.connection = connection
    self.faults = faults
  }

  func turnBegins() { hasLoaded = false }

  /// Returns a value that has gone back to an older revision; nil if there is none.
  func valueThatGoesBack(in progress: CommitProgress) -> (name: KeyName, text: String)? {
    for value in progress.values {
      let (last, now) = (revisions[value.name] ?? 0, value.status.revision)
      if now < last { return (value.name, "from revision \(last) to \(now)") }
      revisions[value.name] = now
    }
    return nil
  }

  // MARK: Calls

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    self.keys += keys.filter { !self.keys.contains($0) }
    if let error = error(of: faults.next(.load), keys.first) {
      return answerLater { done(.failure(error)) }
    }
    connection.load(keys, client: client) {
      self.hasLoaded = true
      done($0)
    }
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let fault = faults.next(.commit)
    if let error = error(of: fault, nil) { return answerLater { done(.failed(error)) } }
    connection.losesNextAnswer = fault == .lostAnswer
    connection.database.accident = fault == .lateCommit ? .late : .none
    connection.commit(commit, rebase: rebase, done)
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    connection.watch(onChange)
  }

  private func error(of fault: SimulatedFault?, _ key: KeyName?) -> StorageError? {
    if fault == .torn { faults.die() }
    if faults.isDead { connection.isRunning = false }
    return switch fault {
    case .quotaExceeded: .full(key)
    case .denied: .refused(key)
    default: nil
    }
  }

  private func answerLater(_ body: @escaping () -> Void) {
    connection.database.messages.send(.answer, to: connection, body)
  }
}
