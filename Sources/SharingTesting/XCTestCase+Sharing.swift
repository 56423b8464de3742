import SharingCore
import XCTest

extension XCTestCase {
  /// Runs a test, or a part of one, with its own shared state, as `.sharing` does in Swift Testing.
  ///
  /// ```swift
  /// final class CounterTests: XCTestCase {
  ///   override func invokeTest() {
  ///     withSharing { super.invokeTest() }  // each test, with its setUp and tearDown
  ///   }
  /// }
  /// ```
  /// A test has shared state of its own without this, too: use it for stores of one's own, for
  /// exhaustive tests, and for parts of tests. Issues are failures of the test. Make values in
  /// `setUp` or in the test: XCTest makes a class's stored properties before any test runs.
  /// - Parameters:
  ///   - exhaustivity: Whether the test fails if it changes shared state and does not assert the
  ///     change.
  ///   - prepare: Sets up the new environment.
  ///   - file: The file in which an issue without a place of its own fails; the caller's.
  ///   - operation: The test, or the part of it.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func withSharing<Output, Failure: Error>(
    exhaustivity: Exhaustivity = .off, prepare: (SharingEnvironment) -> Void = { _ in },
    file: StaticString = #filePath, line: UInt = #line,
    _ operation: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let environment = SharingEnvironment.inMemory { Self.fail($0, otherwiseAt: file, line) }
    return try environment.run { () throws(Failure) -> Output in
      prepare(environment)
      switch exhaustivity {
      case .off: return try operation()
      case .on: return try SharedChangeTracker().exhaust(operation)
      }
    }
  }

  /// Runs an asynchronous test, or a part of one, with its own shared state; see the other
  /// `withSharing`.
  ///
  /// ```swift
  /// func testRefresh() async throws {
  ///   try await withSharing { … }
  /// }
  /// ```
  nonisolated(nonsending) public func withSharing<Output, Failure: Error>(
    exhaustivity: Exhaustivity = .off, prepare: (SharingEnvironment) -> Void = { _ in },
    file: StaticString = #filePath, line: UInt = #line,
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    let environment = SharingEnvironment.inMemory { Self.fail($0, otherwiseAt: file, line) }
    return try await environment.run { () async throws(Failure) -> Output in
      prepare(environment)
      switch exhaustivity {
      case .off: return try await operation()
      case .on: return try await SharedChangeTracker().exhaust(operation)
      }
    }
  }

  /// Fails the test at the place of an issue, or else at another one, which is by default what
  /// XCTest calls an unknown place.
  static func fail(
    _ issue: SharingIssue, otherwiseAt file: StaticString = "<EXPR>", _ line: UInt = 0
  ) {
    XCTFail(
      issue.message.description, file: issue.fileID ?? file, line: issue.line ?? line)
  }
}
