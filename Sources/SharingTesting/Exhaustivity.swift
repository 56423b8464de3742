import SharingCore

/// Whether a test must assert all changes of shared state.
public enum Exhaustivity: Sendable {
  /// Each change must be asserted, with `$value.assert { … }`, or skipped.
  case on
  /// Changes are not tracked; use `#expect`.
  case off
}

extension SharedChangeTracker {
  /// Runs a test that must assert all its changes. If it throws, skips them: it did not reach its
  /// assertions.
  func exhaust(_ test: @Sendable () async throws -> Void) async throws {
    do {
      try await track(test)
    } catch {
      reset()
      throw error
    }
    finish()
  }
}
