import SharingCore

/// The last steps of the clients that have committed last, as many as a store knows.
package struct ClientSteps: Sendable {
  /// Of those first that have not committed for longest.
  package private(set) var all: [ClientStep] = []

  package init() {}

  /// The last step of a client that is stored; nil where that is not known.
  package func lastStep(of client: UTF8Text) -> Int? {
    for known in all where known.client == client { return known.step }
    return nil
  }

  /// A client has committed.
  /// - Parameter limit: As many clients are known: who has not committed while so many others have
  ///   does not ask for an old commit any more.
  package mutating func set(_ client: ClientStep, limit: Int) {
    all = all.filter { $0.client != client.client }
    if all.count == limit { all.remove(at: 0) }
    all.append(client)
  }
}

/// The last step of a client.
package final class ClientStep: Sendable {
  /// Its name.
  package let client: UTF8Text
  /// The step's number.
  package let step: Int

  package init(_ client: UTF8Text, _ step: Int) {
    self.client = client
    self.step = step
  }
}
