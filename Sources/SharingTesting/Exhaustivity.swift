import SharingCore

/// Whether a test must assert all changes of shared state.
public enum Exhaustivity: Sendable {
  /// Each change must be asserted, with `$value.assert { … }`, or skipped.
  case on
  /// Changes are not tracked; use `#expect`.
  case off
}

extension SharedChangeTracker {
  /// Runs a test that must assert all its changes.
  func exhaust<Output, Failure: Error>(
    _ test: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try finish(Result { () throws(Failure) in try track(test) })
  }

  /// Runs an asynchronous test that must assert all its changes.
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

  /// Reports unasserted changes. If the test threw, skips them: it did not reach its assertions.
  private func finish<Output, Failure: Error>(
    _ outcome: Result<Output, Failure>
  ) throws(Failure) -> Output {
    if case .failure = outcome { reset() } else { finish() }
    return try outcome.get()
  }
}
