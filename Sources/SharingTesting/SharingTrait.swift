import SharingCore
@_exported import SharingTestDoubles  // a test imports SharingTesting only
import Testing

extension Trait where Self == SharingTrait {
  /// Gives each test, and each argument of one, its own shared state.
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
  /// Keys, values in memory and default stores (also in memory) belong to the test and its child
  /// tasks. Nothing remains for the next test, and tests may run in parallel. Issues fail the test.
  public static var sharing: Self { .sharing() }

  /// Gives each test, and each argument of one, its own shared state. It is set up before the
  /// suite's stored properties are initialized.
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
  /// If a suite and its test both have the trait, they share one environment; the suite's closure
  /// runs first.
  /// - Parameters:
  ///   - exhaustivity: Whether the test fails if it changes shared state and does not assert the
  ///     change. The default of a test is its suite's, the default of a suite is
  ///     ``Exhaustivity/off``.
  ///   - prepare: Sets up the new environment of each test. If it throws, the test fails.
  public static func sharing(
    exhaustivity: Exhaustivity? = nil,
    _ prepare: @escaping @Sendable (_ environment: SharingEnvironment) throws -> Void = { _ in }
  ) -> Self {
    Self(exhaustivity: exhaustivity, prepare: prepare)
  }
}

/// A trait that gives tests their own shared state. Use `.sharing`.
public struct SharingTrait: SuiteTrait, TestTrait, TestScoping {
  let exhaustivity: Exhaustivity?
  let prepare: @Sendable (SharingEnvironment) throws -> Void

  /// The environment of the running test, if a trait made one.
  @TaskLocal private static var environment: SharingEnvironment?

  /// Applies the trait to the tests of a suite, not to the suite itself.
  public var isRecursive: Bool { true }

  /// Runs a test in its own ``SharingCore/SharingEnvironment``; an exhaustive one also in the scope
  /// of a ``SharingCore/SharedChangeTracker``.
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
