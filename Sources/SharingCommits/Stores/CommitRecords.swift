import SharingCore
import WasiStorage

/// The stored values and the last step of each client, for a store that holds everything in memory.
package struct CommitRecords {
  private(set) var values: [StoredRevision] = []
  private(set) var clients = ClientSteps()

  /// The default number of clients with a recorded step.
  package static let clientLimit = 256

  subscript(key: KeyName) -> StoredRevision {
    for value in values where value.key == key { return value }
    return StoredRevision(key: key)
  }

  func lastStep(of client: UTF8Text) -> Int? { clients.lastStep(of: client) }

  func snapshot(_ keys: [KeyName], _ client: UTF8Text) -> StoredSnapshot {
    StoredSnapshot(keys.map { self[$0] }, applied: lastStep(of: client))
  }

  func stored(_ entries: [CommitEntry]) -> [StoredRevision] { entries.map { self[$0.key] } }

  mutating func set(_ value: StoredRevision) {
    for index in 0..<values.count where values[index].key == value.key {
      values[index] = value
      return
    }
    values.append(value)
  }

  mutating func set(_ client: ClientStep, _ clientLimit: Int = clientLimit) {
    clients.set(client, limit: clientLimit)
  }

  /// Stores a commit, if it fits.
  /// - Returns: The answer to the commit.
  mutating func store(_ commit: Commit, _ clientLimit: Int = clientLimit) -> CommitAnswer {
    let applied = lastStep(of: commit.client)
    let now = stored(commit.entries)
    if let applied, applied >= commit.through { return .accepted(now, applied: applied) }
    guard commit.fits(now, applied: applied) else {
      return .conflict(now, applied: applied ?? commit.after)
    }
    for entry in commit.entries {
      let revision = self[entry.key].revision + 1
      set(StoredRevision(key: entry.key, revision: revision, bytes: entry.bytes))
    }
    set(ClientStep(commit.client, commit.through), clientLimit)
    return .accepted(stored(commit.entries), applied: commit.through)
  }
}

/// The last step of each client, for the clients that committed most recently.
package struct ClientSteps: Sendable {
  /// Ordered by the time of the last commit, the oldest first.
  package private(set) var all: [ClientStep] = []

  package init() {}

  /// Returns the last stored step of a client; nil if the client is unknown.
  package func lastStep(of client: UTF8Text) -> Int? {
    for known in all where known.client == client { return known.step }
    return nil
  }

  /// Records the last step of a client.
  /// - Parameter limit: The number of clients to keep. A client that has not committed during so
  ///   many commits of others no longer repeats an old commit.
  package mutating func set(_ client: ClientStep, limit: Int) {
    all = all.filter { $0.client != client.client }
    if all.count == limit { all.remove(at: 0) }
    all.append(client)
  }
}

/// The last step of one client.
package final class ClientStep: Sendable {
  /// The client's name.
  package let client: UTF8Text
  /// The step's number.
  package let step: Int

  package init(_ client: UTF8Text, _ step: Int) {
    self.client = client
    self.step = step
  }
}
