/// What a ``SharedSubscriber`` does, whatever the type of its value. An abstract class.
package class AnySubscriber: @unchecked Sendable {
  package func receive(_ outcome: Outcome) { fatalError("receive(_:) is overridden") }

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

  override func receive(_ outcome: Outcome) { callback(outcome) }

  override func yieldLoading(_ isLoading: Bool) { onLoading?(isLoading) }
}

/// A subscriber that tells a root what its key has to say.
final class RootSubscriber: AnySubscriber, @unchecked Sendable {
  private let persistence: Persistence
  private let version: Root.Version?

  /// - Parameter version: What the value was when the key was asked; nil for whatever comes later.
  init(_ persistence: Persistence, since version: Root.Version?) {
    self.persistence = persistence
    self.version = version
  }

  override func receive(_ outcome: Outcome) { persistence.receive(outcome, since: version) }

  override func yieldLoading(_ isLoading: Bool) {
    if version == nil, persistence.root != nil { persistence.setLoading(isLoading) }
  }

  override func refresh() -> Bool {
    guard version == nil else { return false }
    if let root = persistence.root { persistence.refresh(root) }
    return true
  }
}
