import SharingCore

/// Saves again what a store has not taken, after a while and by itself.
final class RetriedSave: @unchecked Sendable {
  private typealias Failed = (request: SaveRequest, save: @Sendable (SaveRequest) -> Void)

  private let timer: RetryTimer
  private let lock = Lock()
  /// The last save that has failed, unless the value was saved since.
  private var failed: Failed?

  init(_ clock: @escaping () -> any SaveClock) {
    timer = RetryTimer(clock)
  }

  /// Notes that a save has failed, and tries it again later.
  /// - Parameter save: Saves what the request asks for, and answers it.
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

  /// Notes that the value is saved.
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
