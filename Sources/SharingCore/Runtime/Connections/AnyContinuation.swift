/// Delivers one outcome, once. Both kinds of continuation contain one.
///
/// A second resume is reported and ignored. If a continuation is dropped without one, it is
/// reported and resumed, so that no caller waits forever.
package final class AnyContinuation: @unchecked Sendable {
  private let lock = Lock()
  /// Nil after the resume. A key may keep a resumed continuation, which retains nothing.
  private var receiver: Receiver?
  private let owner: Owner

  /// The owner of the continuation, for messages.
  private enum Owner {
    /// The key of a value, which the receiver retains until the resume.
    case key(Unmanaged<CellPersistence>)
    case described(@Sendable () -> UTF8Text)
  }

  init(
    _ description: @escaping @Sendable () -> UTF8Text,
    _ callback: @escaping OutcomeCallback
  ) {
    owner = .described(description)
    receiver = .closures(ReceivingClosures(callback))
  }

  private init(_ persistence: CellPersistence, _ receiver: Receiver) {
    owner = .key(.passUnretained(persistence))
    self.receiver = receiver
  }

  /// Returns the continuation of a receiver, or makes one.
  static func of(_ receiver: Receiver) -> AnyContinuation {
    switch receiver {
    case .continuation(let continuation): continuation
    case .cell(let persistence, _): AnyContinuation(persistence, receiver)
    case .closures(let closures): AnyContinuation({ "a shared key" }, closures.onOutcome)
    }
  }

  deinit {
    guard let receiver else { return }
    report("was dropped before it was resumed. Resume it on every path through the key's method.")
    receiver.receive(.nothing)
  }

  func resume(_ outcome: Outcome) { take(outcome).finish() }

  /// Takes the outcome, whose value need not exist any more later.
  func take(_ outcome: Outcome) -> Delivery {
    guard let receiver = lock.withLock({ takeReceiver() }) else {
      report("was resumed a second time; the first result stands. Resume it exactly once.")
      return Delivery(revision: nil) {}
    }
    let delivery = receiver.deliver(outcome)
    // The revision is unknown: the connection may belong to the keys of several cells.
    return Delivery(revision: delivery.revision.map { _ in 0 }, complete: delivery.complete)
  }

  private func takeReceiver() -> Receiver? {
    defer { receiver = nil }
    return receiver
  }

  private func report(_ misuse: StaticString) {
    SharingEnvironment.current.onIssue(SharingIssue("The continuation of \(label) \(misuse)"))
  }

  private var label: UTF8Text {
    switch owner {
    case .key(let key) where receiver != nil: key._withUnsafeGuaranteedRef { $0.connection.label }
    case .key(let key): SharingEnvironment.label(of: key) ?? "a shared key"
    case .described(let description): description()
    }
  }
}
