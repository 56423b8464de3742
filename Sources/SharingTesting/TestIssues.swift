import SharingCore
import Testing

/// Records issues of shared state as issues of a test.
///
/// Swift Testing finds the test of an issue by its task. An issue from another thread is kept until
/// the test ends, when the test's own task records it.
final class TestIssues: @unchecked Sendable {
  private let test: Test
  private let lock = Lock()
  private var waiting: [SharingIssue] = []
  private var hasEnded = false

  init(of test: Test) {
    self.test = test
  }

  /// Records an issue, now or when the test ends.
  func record(_ issue: SharingIssue) {
    let isOurs = Test.current != nil || issue.severity == .fatal  // the program ends after that
    let mustWait = lock.withLock {
      let mustWait = !isOurs && !hasEnded
      if mustWait { waiting.append(issue) }
      return mustWait
    }
    if !mustWait { recordNow(issue) }
  }

  /// Records what has waited.
  func finish() {
    let waiting = lock.withLock {
      hasEnded = true
      return self.waiting
    }
    for issue in waiting { recordNow(issue) }
  }

  private func recordNow(_ issue: SharingIssue) {
    Issue.record(
      Comment(rawValue: issue.message.description),
      sourceLocation: SourceLocation(of: issue, in: test))
  }
}

extension SourceLocation {
  /// Where an issue happened, or else where the test is.
  ///
  /// The path of the file is known when it is the test's own; it would cost every program too many
  /// bytes to know it of others.
  fileprivate init(of issue: SharingIssue, in test: Test) {
    self = test.sourceLocation
    guard let fileID = issue.fileID?.description, fileID.contains("/"), let line = issue.line else {
      return
    }
    let path = fileID == self.fileID ? filePath : fileID
    self.init(fileID: fileID, filePath: path, line: max(1, Int(line)), column: 1)
  }
}
