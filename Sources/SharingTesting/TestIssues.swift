import SharingCore
import Testing

/// Records issues of shared state as issues of a test.
///
/// Swift Testing finds the test of an issue by its task. An issue from another thread is kept, and
/// the test's own task records it when the test ends.
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

  /// Records the kept issues.
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
  /// Creates the location of an issue, or else that of the test.
  ///
  /// The path of the file is known only for the test's own file: the paths of other files would
  /// cost every program too many bytes.
  fileprivate init(of issue: SharingIssue, in test: Test) {
    self = test.sourceLocation
    guard let fileID = issue.fileID?.description, fileID.contains("/"), let line = issue.line else {
      return
    }
    let path = fileID == self.fileID ? filePath : fileID
    self.init(fileID: fileID, filePath: path, line: max(1, Int(line)), column: 1)
  }
}
