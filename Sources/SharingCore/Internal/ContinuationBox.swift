/// Hands over one outcome, once: what both kinds of continuation are made of.
///
/// A second resume is reported and ignored. A continuation that is dropped without one is reported
/// and then resumed, so that nobody waits for ever.
package final class ContinuationBox: @unchecked Sendable {
  private let lock = Lock()
  private var callback: (@Sendable (Outcome) -> Void)?
  private let description: (@Sendable () -> UTF8Text)?

  init(
    _ description: (@Sendable () -> UTF8Text)? = nil,
    callback: @escaping @Sendable (Outcome) -> Void
  ) {
    self.description = description
    self.callback = callback
  }

  deinit {
    guard let callback else { return }
    report("was dropped before it was resumed. Resume it on every way out of the key's method.")
    callback(.nothing)
  }

  package func resume(_ outcome: Outcome) {
    guard let callback = lock.withLock({ takeCallback() }) else {
      return report("was resumed a second time; the first result stands. Resume it exactly once.")
    }
    callback(outcome)
  }

  private func takeCallback() -> (@Sendable (Outcome) -> Void)? {
    defer { callback = nil }
    return callback
  }

  private func report(_ what: StaticString) {
    let owner = description?() ?? "a shared key"
    SharingEnvironment.current.report(SharingIssue("The continuation of \(owner) \(what)"))
  }
}
