/// What a ``SharedSubscriber`` does, whatever the type of its value. An abstract class.
package class AnySubscriber: @unchecked Sendable {
  /// - Returns: Whether a value was taken over, as far as that is known.
  @discardableResult
  package func receive(_ outcome: Outcome) -> Bool { fatalError("receive(_:) is overridden") }

  /// Notes that loading begins, or ends.
  func yieldLoading(_ isLoading: Bool) {}

  /// Has the key called that a wrapper has been given, to yield what is new.
  /// - Returns: False where that cannot be done: there the key itself has to yield.
  package func refresh() -> Bool { false }
}

/// A subscriber that hands everything to closures.
final class ClosureSubscriber: AnySubscriber, @unchecked Sendable {
  private let callback: @Sendable (Outcome) -> Void
  private let onLoading: (@Sendable (Bool) -> Void)?

  init(
    _ callback: @escaping @Sendable (Outcome) -> Void, _ onLoading: (@Sendable (Bool) -> Void)?
  ) {
    self.callback = callback
    self.onLoading = onLoading
  }

  override func receive(_ outcome: Outcome) -> Bool {
    callback(outcome)
    return true
  }

  override func yieldLoading(_ isLoading: Bool) { onLoading?(isLoading) }
}

/// A subscriber that tells a root what its key has to say.
final class RootSubscriber: AnySubscriber, @unchecked Sendable {
  private let persistence: Persistence
  /// The revision of the value when the key was asked; nil for whatever comes later.
  private let revision: UInt32?

  init(_ persistence: Persistence, since revision: UInt32?) {
    self.persistence = persistence
    self.revision = revision
  }

  override func receive(_ outcome: Outcome) -> Bool {
    persistence.receive(outcome, revision.map { .refresh($0) } ?? .never)
  }

  override func yieldLoading(_ isLoading: Bool) {
    if revision == nil, persistence.root != nil { persistence.setLoading(isLoading) }
  }

  override func refresh() -> Bool {
    guard revision == nil else { return false }
    if let root = persistence.root { persistence.refresh(root) }
    return true
  }
}
