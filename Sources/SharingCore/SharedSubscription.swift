/// What a key does to stop hearing of changes; it ends on ``cancel()`` or when it is dropped.
///
/// ```swift
/// return SharedSubscription { token.cancel() }
/// ```
public struct SharedSubscription: Sendable {
  private let box: Box

  /// - Parameter cancel: Ends the subscription; called once.
  public init(_ cancel: @escaping @Sendable () -> Void) {
    box = Box(cancel)
  }

  /// Ends the subscription, unless it has ended.
  public func cancel() {
    box.cancel()
  }

  private final class Box: @unchecked Sendable {
    private let lock = Lock()
    private var onCancel: (@Sendable () -> Void)?

    init(_ onCancel: @escaping @Sendable () -> Void) {
      self.onCancel = onCancel
    }

    deinit {
      cancel()
    }

    func cancel() {
      let onCancel = lock.withLock {
        defer { self.onCancel = nil }
        return self.onCancel
      }
      onCancel?()
    }
  }
}
