/// Hands over one outcome, once: what both kinds of continuation are made of.
///
/// A second resume is reported and ignored. A continuation that is dropped without one is reported
/// and then resumed, so that nobody waits for ever.
final class AnyContinuation: @unchecked Sendable {
  private let lock = Lock()
  private var receiver: Receiver?
  private let owner: Owner

  /// Whose continuation it is, for messages.
  private enum Owner {
    /// That of a value's key, which the receiver keeps and nobody after that: a key may keep what
    /// it has resumed.
    case key(Unmanaged<CellPersistence>?)
    case described(@Sendable () -> UTF8Text)
  }

  /// Who hears the outcome.
  enum Receiver {
    case callback(@Sendable (Outcome) -> Void)
    case load(LoadRequest)
    /// The request keeps its cell until it is answered: who asks for the key meanwhile finds the
    /// value.
    case save(SaveRequest)
  }

  init(
    _ description: @escaping @Sendable () -> UTF8Text,
    _ callback: @escaping @Sendable (Outcome) -> Void
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

  /// The continuation of a request, which has one if it is that of a key which is part of another
  /// one.
  static func of(_ request: LoadRequest) -> AnyContinuation {
    if case .continuation(let continuation) = request.receiver {
      continuation
    } else {
      AnyContinuation(.load(request))
    }
  }

  deinit {
    guard let receiver else { return }
    report("was dropped before it was resumed. Resume it on every way out of the key's method.")
    Self.deliver(.nothing, to: receiver)
  }

  func resume(_ outcome: Outcome) {
    guard let receiver = lock.withLock({ takeReceiver() }) else {
      return report("was resumed a second time; the first result stands. Resume it exactly once.")
    }
    Self.deliver(outcome, to: receiver)
  }

  private func takeReceiver() -> Receiver? {
    defer { receiver = nil }
    return receiver
  }

  private static func deliver(_ outcome: Outcome, to receiver: Receiver) {
    switch receiver {
    case .callback(let callback): callback(outcome)
    case .load(let request): request.answer(outcome)
    case .save(let request): request.answer(outcome.failure)
    }
  }

  private func report(_ what: StaticString) {
    SharingEnvironment.current.report(SharingIssue("The continuation of \(label) \(what)"))
  }

  private var label: UTF8Text {
    switch owner {
    case .key(let key?) where receiver != nil: key._withUnsafeGuaranteedRef { $0.connection.label }
    case .key(let key): key.flatMap { SharingEnvironment.label(of: $0) } ?? "a shared key"
    case .described(let description): description()
    }
  }
}
