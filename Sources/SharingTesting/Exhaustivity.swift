import SharingCore

/// How exhaustively a test has to assert changes of shared state.
public enum Exhaustivity: Sendable {
  /// Every change has to be asserted, with `$value.assert { … }`, or skipped.
  case on
  /// Changes are not tracked: `#expect` what matters.
  case off
}

extension SharedChangeTracker {
  /// Runs a test that has to assert all that it changes.
  func exhaust<Output, Failure: Error>(
    _ test: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try finish(Result { () throws(Failure) in try track(test) })
  }

  /// Runs an asynchronous test that has to assert all that it changes.
  nonisolated(nonsending) func exhaust<Output, Failure: Error>(
    _ test: nonisolated(nonsending) () async throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    let outcome: Result<Output, Failure>
    do throws(Failure) {
      outcome = .success(try await track(test))
    } catch {
      outcome = .failure(error)
    }
    return try finish(outcome)
  }

  /// A test that throws has not come to its assertions.
  private func finish<Output, Failure: Error>(
    _ outcome: Result<Output, Failure>
  ) throws(Failure) -> Output {
    if case .failure = outcome { reset() } else { finish() }
    return try outcome.get()
  }
}
