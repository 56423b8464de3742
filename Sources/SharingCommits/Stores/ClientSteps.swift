import SharingCore
import WasiStorage

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
