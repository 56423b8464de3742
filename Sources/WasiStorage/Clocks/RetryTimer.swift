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
