import SharingCore
import Testing
import WasiStorage

extension Trait where Self == SharingTrait {
  /// Gives each test, and each argument of one, shared state of its own.
  ///
  /// ```swift
  /// @Suite(.sharing) struct CounterTests {
  ///   @Test func increment() {
  ///     let model = CounterModel()  // has a @Shared(.localStorage("count")) var count = 0
  ///     model.incrementButtonTapped()
  ///     #expect(model.count == 1)
  ///   }
  /// }
  /// ```
  /// Keys, values in memory and default stores, which are in memory too, are the test's own and its
  /// child tasks': nothing is left over for the next test, and tests may run in parallel. Issues are
  /// failures of the test.
  public static var sharing: Self { Self(exhaustivity: .off) }

  /// Gives each test, and each argument of one, shared state of its own, and may have it assert every
  /// change of that.
  ///
  /// ```swift
  /// @Test(.sharing(exhaustivity: .on)) func increment() {
  ///   @Shared(.localStorage("count")) var count = 0
  ///   CounterModel().incrementButtonTapped()
  ///   $count.assert { $0 = 1 }
  /// }
  /// ```
  /// - Parameter exhaustivity: Whether the test fails when it changes shared state and does not
  ///   assert it.
  public static func sharing(exhaustivity: Exhaustivity) -> Self {
    Self(exhaustivity: exhaustivity)
  }
}

/// How exhaustively a test has to assert changes of shared state.
public enum Exhaustivity: Sendable {
  /// Every change has to be asserted, with `$value.assert { … }`, or skipped.
  case on
  /// Changes are not tracked: `#expect` what matters.
  case off
}

/// A trait that gives tests shared state of their own; use `.sharing`.
public struct SharingTrait: SuiteTrait, TestTrait, TestScoping {
  let exhaustivity: Exhaustivity

  /// The tests of a suite have it, not the suite.
  public var isRecursive: Bool { true }

  /// Runs a test in a ``SharingEnvironment`` of its own and, where it has to be exhaustive, in the
  /// scope of a ``SharedChangeTracker``.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let issues = TestIssues(of: test)
    defer { issues.finish() }
    let environment = SharingEnvironment()
    environment.stores.local = MemoryStore()
    environment.stores.session = MemoryStore()
    environment.stores.notice = nil
    environment.onIssue = { issues.record($0) }
    try await environment.run {
      switch exhaustivity {
      case .off: try await SharedChangeTracker.withoutTracker(function)
      case .on: try await track(function)
      }
    }
  }

  private func track(_ function: () async throws -> Void) async throws {
    let tracker = SharedChangeTracker()
    do {
      try await tracker.track(function)
      tracker.finish()
    } catch {
      tracker.reset()  // the test has not come to its assertions
      throw error
    }
  }
}
