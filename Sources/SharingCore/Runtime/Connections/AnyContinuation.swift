/// Delivers one outcome, once. Both kinds of continuation contain one.
///
/// A second resume is reported and ignored. If a continuation is dropped without one, it is
/// reported and resumed, so that no caller waits forever.
final class AnyContinuation: @unchecked Sendable {
  private let lock = Lock()
  private var receiver: Receiver?
  private let owner: Owner

  /// The owner of the continuation, for messages.
  private enum Owner {
    /// The key of a value. The receiver retains it until the resume; afterwards nothing does,
    /// because a key may keep a resumed continuation.
    case key(Unmanaged<CellPersistence>?)
    case described(@Sendable () -> UTF8Text)
  }

  /// The receiver of the outcome.
  enum Receiver {
    case callback(OutcomeCallback)
    case load(LoadRequest)
    /// The request retains its cell until it is answered, so that new wrappers of the key find the
    /// value.
    case save(SaveRequest)
  }

  init(
    _ description: @escaping @Sendable () -> UTF8Text,
    _ callback: @escaping OutcomeCallback
  ) {
    owner = .described(description)
    receiver = .callback(callback)
  }

  init(_ receiver: Receiver) {
    self.receiver = receiver
    owner =
      switch receiver {
      case .load(let request): .key(request.persistence.map { .passUnretained($0) })
      case .save(let request): .key(request.cell.persistence.map { .passUnretained($0) })
      case .callback: .key(nil)
      }
  }

  /// Returns the continuation of a request, or makes one. The request of a key that is part of
  /// another key has one.
  static func of(_ request: LoadRequest) -> AnyContinuation {
    if case .continuation(let continuation) = request.receiver {
      continuation
    } else {
      AnyContinuation(.load(request))
    }
  }

  deinit {
    guard let receiver else { return }
    report("was dropped before it was resumed. Resume it on every path through the key's method.")
    Self.take(.nothing, for: receiver).finish()
  }

  func resume(_ outcome: Outcome) { take(outcome).finish() }

  /// Takes the outcome, whose value need not exist any more later.
  func take(_ outcome: Outcome) -> Delivery {
    guard let receiver = lock.withLock({ takeReceiver() }) else {
      report("was resumed a second time; the first result stands. Resume it exactly once.")
      return Delivery(revision: nil) {}
    }
    return Self.take(outcome, for: receiver)
  }

  private func takeReceiver() -> Receiver? {
    defer { receiver = nil }
    return receiver
  }

  private static func take(_ outcome: Outcome, for receiver: Receiver) -> Delivery {
    switch receiver {
    case .callback(let callback): return Delivery(revision: 0, complete: callback(outcome))
    case .load(let request):
      let delivery = request.deliver(outcome)
      // The revision is unknown: the connection may belong to the keys of several cells.
      return Delivery(revision: delivery.revision.map { _ in 0 }, complete: delivery.complete)
    case .save(let request):
      let failure = outcome.failure
      return Delivery(revision: 0) { request.answer(failure) }
    }
  }

  private func report(_ misuse: StaticString) {
    SharingEnvironment.current.onIssue(SharingIssue("The continuation of \(label) \(misuse)"))
  }

  private var label: UTF8Text {
    switch owner {
    case .key(let key?) where receiver != nil: key._withUnsafeGuaranteedRef { $0.connection.label }
    case .key(let key): key.flatMap { SharingEnvironment.label(of: $0) } ?? "a shared key"
    case .described(let description): description()
    }
  }
}
