/// Hands over one outcome, once: what both kinds of continuation are made of.
///
/// A second resume is reported and ignored. A continuation that is dropped without one is reported
/// and then resumed, so that nobody waits for ever.
package final class ContinuationBox: @unchecked Sendable {
  private let lock = Lock()
  private var receiver: Receiver?
  private let description: (@Sendable () -> UTF8Text)?

  /// Who hears the outcome.
  enum Receiver {
    case callback(@Sendable (Outcome) -> Void)
    /// That of a save: every change makes one of these, and needs no closure for it.
    case save(Persistence, waiting: [Persistence.Completion])
  }

  init(_ description: (@Sendable () -> UTF8Text)? = nil, _ receiver: Receiver) {
    self.description = description
    self.receiver = receiver
  }

  deinit {
    guard let receiver else { return }
    report("was dropped before it was resumed. Resume it on every way out of the key's method.")
    Self.hand(.nothing, to: receiver)
  }

  package func resume(_ outcome: Outcome) {
    guard let receiver = lock.withLock({ takeReceiver() }) else {
      return report("was resumed a second time; the first result stands. Resume it exactly once.")
    }
    Self.hand(outcome, to: receiver)
  }

  private func takeReceiver() -> Receiver? {
    defer { receiver = nil }
    return receiver
  }

  private static func hand(_ outcome: Outcome, to receiver: Receiver) {
    switch receiver {
    case .callback(let callback): callback(outcome)
    case .save(let persistence, let waiting): persistence.didSave(outcome, waiting)
    }
  }

  private func report(_ what: StaticString) {
    let owner = description?() ?? "a shared key"
    SharingEnvironment.current.report(SharingIssue("The continuation of \(owner) \(what)"))
  }
}
