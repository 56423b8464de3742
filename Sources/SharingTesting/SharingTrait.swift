import SharingCore
import Testing

extension Trait where Self == SharingTrait {
  /// Gives each test, and each argument of one, shared state of its own.
  ///
  /// A test has that without a trait, too, as soon as SharingTesting is linked. With the trait, it
  /// ends with the test, also where a test is repeated in one process, and issues of its other
  /// threads are kept until then.
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
  /// Keys, values in memory and default stores, which are in memory too, belong to the test and its
  /// child tasks: nothing is left over for the next test, and tests may run in parallel. Issues
  /// fail the test.
  public static var sharing: Self { .sharing() }

  /// Gives each test, and each argument of one, shared state of its own, which is set up before the
  /// suite's stored properties are made.
  ///
  /// ```swift
  /// @Suite(.sharing { $0.stores.local = FileStore(folder: "Fixtures/state") }) struct StateTests {
  ///   @Shared(.localStorage("count")) var count = 0
  /// }
  ///
  /// @Test(.sharing(exhaustivity: .on)) func increment() {
  ///   @Shared(.localStorage("count")) var count = 0
  ///   CounterModel().incrementButtonTapped()
  ///   $count.assert { $0 = 1 }
  /// }
  /// ```
  /// A suite and its test that both have the trait share one environment: the suite's closure runs
  /// first.
  /// - Parameters:
  ///   - exhaustivity: Whether the test fails when it changes shared state and does not assert it.
  ///     A test's default is its suite's, whose default is ``Exhaustivity/off``.
  ///   - prepare: Sets up the new environment of each test. What it throws fails the test.
  public static func sharing(
    exhaustivity: Exhaustivity? = nil,
    _ prepare: @escaping @Sendable (_ environment: SharingEnvironment) throws -> Void = { _ in }
  ) -> Self {
    Self(exhaustivity: exhaustivity, prepare: prepare)
  }
}

/// A trait that gives tests shared state of their own; use `.sharing`.
public struct SharingTrait: SuiteTrait, TestTrait, TestScoping {
  let exhaustivity: Exhaustivity?
  let prepare: @Sendable (SharingEnvironment) throws -> Void

  /// The environment of the test that is running, if a trait has made it.
  @TaskLocal private static var environment: SharingEnvironment?

  /// The tests of a suite have it, not the suite.
  public var isRecursive: Bool { true }

  /// Runs a test in a ``SharingCore/SharingEnvironment`` of its own and, where it has to be
  /// exhaustive, in the scope of a ``SharingCore/SharedChangeTracker``.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if let environment = Self.environment {
      try prepare(environment)
      return try await run(exhaustivity, function)
    }
    let issues = TestIssues(of: test)
    defer { issues.finish() }
    let environment = SharingEnvironment.inMemory { issues.record($0) }
    try await Self.$environment.withValue(environment) {
      try await environment.run {
        try prepare(environment)
        try await run(exhaustivity ?? .off, function)
      }
    }
  }

  private func run(
    _ exhaustivity: Exhaustivity?, _ function: @Sendable () async throws -> Void
  ) async throws {
    switch exhaustivity {
    case nil: try await function()
    case .off: try await SharedChangeTracker.withoutTracker(function)
    case .on: try await SharedChangeTracker().exhaust(function)
    }
  }
}
