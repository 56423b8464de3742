import Foundation
import SharingCore
import SharingTesting
import Testing
import WasiStorage

/// Failures that occur only after the test.
@Suite struct AfterTheTestTests {
  @Test(
    .expectingIssue("This change of a Shared<Int> was not asserted.", fileID: #fileID, line: 7),
    .sharing(exhaustivity: .on))
  func aChangeThatWasNotAssertedIsAFailureOfTheTest() {
    @Shared(.localStorage("count")) var count = 0
    $count.withLock({ $0 += 1 }, line: 7)
  }

  @Test(
    .expectingIssue("This change of a Shared<Int> was not asserted."),
    .sharing(exhaustivity: .on))
  @available(*, deprecated)
  func aChangeWithoutACallSiteIsOneWhereTheTestIs() {
    @Shared(.localStorage("count")) var count = 0
    count += 1
  }

  @Test(
    .expectingIssue("Writes to a store were not asserted:\n    count = 1\n"),
    .sharing(exhaustivity: .on))
  func soIsAWriteThatWasNotAsserted() {
    let store = RecordingStore()
    prepareSharing { $0.stores.local = store }
    @Shared(.localStorage("count")) var count = 0
    $count.withLock { $0 += 1 }
    $count.assert { $0 = 1 }
  }

  @Test(.expectingError, .sharing(exhaustivity: .on))
  func aTestThatThrowsIsSparedTheRest() throws {
    @Shared(value: 0) var count
    $count.withLock { $0 = 1 }
    throw Refusal.expected
  }

  @Test(.expectingIssue("This key's id is in use", line: 8), .sharing)
  func anIssueOfAnotherThreadIsTheTestsToo() async {
    let environment = SharingEnvironment.current
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        environment.run {
          let number = Shared(wrappedValue: 0, .inMemory("key"))
          _ = Shared(wrappedValue: "", .inMemory("key"), line: 8)
          _ = number
        }
        done.resume()
      }
    }
  }

  @Test(.expectingIssue("This observer has run", line: 9), .sharing)
  func soIsAnObserverThatAnotherThreadRunsWithoutEnd() async {
    let count = Shared(value: 0)
    let token = observe(line: 9) { if count.wrappedValue > 0 { count.withLock { $0 += 1 } } }
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        count.withLock { $0 = 1 }
        done.resume()
      }
    }
    token.cancel()
  }
}

private enum Refusal: Error { case expected }

/// Expects that a test, including the work of its other traits after it, fails with one issue.
private struct ExpectedIssue: TestTrait, TestScoping {
  let isExpected: @Sendable (Issue, Test) -> Bool

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withKnownIssue {
      try await function()
    } matching: {
      isExpected($0, test)
    }
  }
}

extension Trait where Self == ExpectedIssue {
  /// - Parameter line: The line of the expected issue; nil for the line of the test.
  fileprivate static func expectingIssue(
    _ message: String, fileID: String = #fileID, line: Int? = nil
  ) -> Self {
    Self { issue, test in
      issue.comments.first?.rawValue.hasPrefix(message) == true
        && issue.sourceLocation?.fileID == fileID
        && issue.sourceLocation?.line == line ?? test.sourceLocation.line
    }
  }

  fileprivate static var expectingError: Self {
    Self { issue, _ in issue.error is Refusal }
  }
}
