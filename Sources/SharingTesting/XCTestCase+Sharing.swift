import SharingCore
import XCTest

extension XCTestCase {
  /// Runs a test, or a part of one, with shared state of its own, as `.sharing` does in Swift
  /// Testing.
  ///
  /// ```swift
  /// final class CounterTests: XCTestCase {
  ///   override func invokeTest() {
  ///     withSharing { super.invokeTest() }  // each test, with its setUp and tearDown
  ///   }
  /// }
  /// ```
  /// Issues are failures of the test. Make values in `setUp` or in the test: XCTest makes a class's
  /// stored properties before any test runs.
  /// - Parameters:
  ///   - exhaustivity: Whether the test fails when it changes shared state and does not assert it.
  ///   - prepare: Sets up the new environment.
  ///   - operation: The test, or the part of it.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func withSharing<Output, Failure: Error>(
    exhaustivity: Exhaustivity = .off, prepare: (SharingEnvironment) -> Void = { _ in },
    _ operation: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let environment = SharingEnvironment.inMemory(reporting: Self.fail)
    return try environment.run { () throws(Failure) -> Output in
      prepare(environment)
      switch exhaustivity {
      case .off: return try operation()
      case .on: return try SharedChangeTracker().exhaust(operation)
      }
    }
  }

  /// Runs an asynchronous test, or a part of one, with shared state of its own; see the other
  /// `withSharing`.
  ///
  /// ```swift
  /// func testRefresh() async throws {
  ///   try await withSharing { … }
  /// }
  /// ```
  nonisolated(nonsending) public func withSharing<Output, Failure: Error>(
    exhaustivity: Exhaustivity = .off, prepare: (SharingEnvironment) -> Void = { _ in },
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    let environment = SharingEnvironment.inMemory(reporting: Self.fail)
    return try await environment.run { () async throws(Failure) -> Output in
      prepare(environment)
      switch exhaustivity {
      case .off: return try await operation()
      case .on: return try await SharedChangeTracker().exhaust(operation)
      }
    }
  }

  private static func fail(_ issue: SharingIssue) {
    let message = issue.message.description
    guard let file = issue.fileID, let line = issue.line else { return XCTFail(message) }
    XCTFail(message, file: file, line: line)
  }
}
