/// Hands over one result, once: what both kinds of continuation are made of.
///
/// A second resume is reported and ignored. A continuation that is dropped without one is reported
/// and then resumed, so that nobody waits for ever.
final class ContinuationBox<Output>: @unchecked Sendable {
  private let lock = Lock()
  private var callback: (@Sendable (Result<Output, AnyError>) -> Void)?
  private let dropped: Output
  private let description: @Sendable () -> UTF8Text

  /// - Parameter dropped: What is handed over when the continuation is dropped.
  init(
    description: @escaping @Sendable () -> UTF8Text, dropped: Output,
    callback: @escaping @Sendable (Result<Output, AnyError>) -> Void
  ) {
    self.description = description
    self.dropped = dropped
    self.callback = callback
  }

  deinit {
    guard let callback else { return }
    report("was dropped before it was resumed. Resume it on every way out of the key's method.")
    callback(.success(dropped))
  }

  func resume(with result: Result<Output, AnyError>) {
    guard let callback = lock.withLock({ takeCallback() }) else {
      return report("was resumed a second time; the first result stands. Resume it exactly once.")
    }
    callback(result)
  }

  private func takeCallback() -> (@Sendable (Result<Output, AnyError>) -> Void)? {
    defer { callback = nil }
    return callback
  }

  private func report(_ what: StaticString) {
    reportMisuse(of: description(), what)
  }
}

/// Outside the generic class, so that there is one of it.
private func reportMisuse(of name: UTF8Text, _ what: StaticString) {
  let owner: UTF8Text =
    name.isEmpty ? "A shared key's continuation" : "The continuation of \(name)"
  SharingEnvironment.current.report(SharingIssue("\(owner) \(what)"))
}
