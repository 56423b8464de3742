import SharingCore

/// Retries after one second, then after longer delays, up to 30 seconds.
package final class RetryTimer: @unchecked Sendable {
  private let clock: () -> any SaveClock
  private let lock = Lock()
  private var milliseconds = 0
  private var isRunning = false

  package init(_ clock: @escaping () -> any SaveClock) {
    self.clock = clock
  }

  package func stop() {
    lock.withLock { milliseconds = 0 }
  }

  package func start(_ retry: @escaping @Sendable () -> Void) {
    let delay = lock.withLock {
      if isRunning { return 0 }
      isRunning = true
      milliseconds = min(max(1000, 2 * milliseconds), 30_000)
      return milliseconds
    }
    guard delay > 0 else { return }
    let isSet = clock().call(after: delay) {
      self.lock.withLock { self.isRunning = false }
      retry()
    }
    if !isSet { lock.withLock { isRunning = false } }
  }
}

/// Retries failed saves of one value automatically, after a delay.
final class RetriedSave: @unchecked Sendable {
  private typealias Failed = (request: SaveRequest, save: @Sendable (SaveRequest) -> Void)

  private let timer: RetryTimer
  private let lock = Lock()
  /// The last failed save; nil if the value was saved since.
  private var failed: Failed?

  init(_ clock: @escaping () -> any SaveClock) {
    timer = RetryTimer(clock)
  }

  /// Records a failed save, and retries it later.
  /// - Parameter save: Saves the value of the request, and answers it.
  func retry(
    _ request: SaveRequest, after error: StorageError,
    _ save: @escaping @Sendable (SaveRequest) -> Void
  ) {
    let former = replace(by: (request.postponed(error), save))
    former?.request.answer(error)
    timer.start { [self] in
      if let failed = replace(by: nil) { batch { failed.save(failed.request) } }
    }
  }

  /// Records that the value is saved.
  func end() {
    timer.stop()
    replace(by: nil)?.request.answer(nil)
  }

  private func replace(by new: Failed?) -> Failed? {
    lock.withLock {
      defer { failed = new }
      return failed
    }
  }
}
