import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// Replaces one revision store of a tab: its access to the database of the origin, with faults.
final class TabRevisions: RevisionStore, @unchecked Sendable {
  /// The program's own store, which it replaces; nil for that of the environment.
  let original: (any RevisionStore)?
  let connection: SimulatedConnection
  private let faults: TabFaults
  /// The keys that the program has tried to load. The connection has those that were not refused.
  private(set) var keys: [KeyName] = []

  init(
    _ original: (any RevisionStore)?, _ connection: SimulatedConnection, _ faults: TabFaults
  ) {
    self.original = original
    self.connection = connection
    self.faults = faults
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    self.keys += keys.filter { !self.keys.contains($0) }
    do throws(StorageError) {
      try faults.check(.load, keys.first)
      connection.load(keys, client: client, done)
    } catch {
      fail { done(.failure(error)) }
    }
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    do throws(StorageError) {
      let fault = try faults.check(.commit, nil)
      connection.losesNextAnswer = fault == .lostAnswer
      connection.database.accident = fault == .lateCommit ? .late : .none
      connection.commit(commit, rebase: rebase, done)
    } catch {
      fail { done(.failed(error)) }
    }
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    connection.watch(onChange)
  }

  /// Answers a failed call. A tab that has ended gets no answer.
  private func fail(_ answer: @escaping () -> Void) {
    if faults.isDead { connection.isRunning = false }
    connection.database.messages.send(.answer, to: connection, answer)
  }
}
