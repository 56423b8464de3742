import SharingCore

/// A clock that moves only when a test advances it, for tests of delayed saves.
///
/// ```swift
/// clock.advance(by: 500)
/// ```
public final class ManualClock: SaveClock, @unchecked Sendable {
  private let lock = Lock()
  private var now = 0
  private var waiting: [(time: Int, action: @Sendable () -> Void)] = []

  /// Creates a clock without pending actions.
  public init() {}

  /// Calls `action` when the clock has advanced by that time.
  public func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
    lock.withLock { waiting.append((time(in: milliseconds), action)) }
    return true
  }

  /// Calls all pending actions, the earliest first.
  public func callAll() {
    callAll(until: .max)
  }

  /// Advances the clock, and calls the actions that are due, the earliest first.
  /// - Parameter milliseconds: The time to advance by.
  public func advance(by milliseconds: Int) {
    let end = lock.withLock { time(in: milliseconds) }
    callAll(until: end)
    lock.withLock { now = end }
  }

  /// The lock is held.
  private func time(in milliseconds: Int) -> Int {
    let (time, isTooLate) = now.addingReportingOverflow(milliseconds)
    return isTooLate ? .max : time
  }

  private func callAll(until end: Int) {
    while let next = take(until: end) { next() }
  }

  private func take(until end: Int) -> (@Sendable () -> Void)? {
    lock.withLock {
      var first: Int?
      for index in waiting.indices where waiting[index].time <= end {
        if first == nil || waiting[index].time < waiting[first!].time { first = index }
      }
      guard let first else { return nil }
      if end < .max { now = max(now, waiting[first].time) }
      return waiting.remove(at: first).action
    }
  }
}
