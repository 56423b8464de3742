import SharingCore

/// A call of a store that may be answered before it returns, or later.
final class CommitCall: @unchecked Sendable {
  private let lock = Lock()
  private var answer: CommitAnswer?
  private var hasReturned = false

  /// Takes the answer, unless the call has returned: then it comes late.
  func isLate(_ answer: CommitAnswer) -> Bool {
    lock.withLock {
      self.answer = answer
      return hasReturned
    }
  }

  /// The answer, if it has come already.
  func now() -> CommitAnswer? {
    lock.withLock {
      hasReturned = true
      return answer
    }
  }
}
