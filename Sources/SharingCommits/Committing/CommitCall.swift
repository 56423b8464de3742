import SharingCore
import WasiStorage

/// A call of a store's `commit`. The answer may arrive before the call returns, or later.
final class CommitCall: @unchecked Sendable {
  private let lock = Lock()
  private var answer: CommitAnswer?
  private var hasReturned = false

  /// Records the answer and returns whether it arrived after the call returned.
  func isLate(_ answer: CommitAnswer) -> Bool {
    lock.withLock {
      self.answer = answer
      return hasReturned
    }
  }

  /// Records that the call has returned, and returns the answer if it is already there.
  func now() -> CommitAnswer? {
    lock.withLock {
      hasReturned = true
      return answer
    }
  }
}
