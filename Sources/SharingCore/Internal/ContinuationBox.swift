/// Hands over one outcome, once: what both kinds of continuation are made of.
///
/// A second resume is reported and ignored. A continuation that is dropped without one is reported
/// and then resumed, so that nobody waits for ever.
package final class ContinuationBox: @unchecked Sendable {
  private let lock = Lock()
  private var receiver: Receiver?
  private let owner: Owner

  /// Whose continuation it is, for messages.
  enum Owner {
    /// That of a value's key, which the receiver keeps and nobody after that: a key may keep what it has
    /// resumed.
    case key(Unmanaged<Persistence>)
    case described(@Sendable () -> UTF8Text)
  }

  /// Who hears the outcome.
  enum Receiver {
    case callback(@Sendable (Outcome) -> Void)
    /// That of a load.
    case load(Persistence, number: UInt32, Root.Asked, done: Persistence.LoadCompletion)
    /// That of a save: every change makes one of these, and needs no closure for it. The root stays
    /// until it is saved: who asks for the key meanwhile finds the value.
    case save(Root, number: UInt32, waiting: [Persistence.Completion])
  }

  init(_ owner: Owner, _ receiver: Receiver) {
    self.owner = owner
    self.receiver = receiver
  }

  deinit {
    guard let receiver else { return }
    report("was dropped before it was resumed. Resume it on every way out of the key's method.")
    Self.hand(.nothing, to: receiver)
  }

  /// - Returns: Whether what was loaded was taken over, as far as that is known.
  @discardableResult
  package func resume(_ outcome: Outcome) -> Bool {
    guard let receiver = lock.withLock({ takeReceiver() }) else {
      report("was resumed a second time; the first result stands. Resume it exactly once.")
      return false
    }
    return Self.hand(outcome, to: receiver)
  }

  private func takeReceiver() -> Receiver? {
    defer { receiver = nil }
    return receiver
  }

  @discardableResult
  private static func hand(_ outcome: Outcome, to receiver: Receiver) -> Bool {
    switch receiver {
    case .callback(let callback):
      callback(outcome)
      return true
    case .load(let persistence, let number, let asked, let done):
      return persistence.didLoad(outcome, number, asked, done)
    case .save(let root, let number, let waiting):
      root.persistence?.didSave(root, outcome, number, waiting)
      return true
    }
  }

  private func report(_ what: StaticString) {
    SharingEnvironment.current.report(SharingIssue("The continuation of \(label) \(what)"))
  }

  private var label: UTF8Text {
    switch owner {
    case .key(let key) where receiver != nil: key._withUnsafeGuaranteedRef { $0.label }
    case .key(let key): SharingEnvironment.label(of: key) ?? "a shared key"
    case .described(let description): description()
    }
  }
}
