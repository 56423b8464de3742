import SharingCore

/// A clock that stands still until it is told to go on: for tests of what is put off.
///
/// ```swift
/// clock.advance(by: 500)
/// ```
public final class ManualClock: SaveClock, @unchecked Sendable {
  private let lock = Lock()
  private var now = 0
  private var waiting: [(time: Int, action: @Sendable () -> Void)] = []

  /// A clock at which nothing waits.
  public init() {}

  /// Calls `action` when the clock has advanced that far.
  public func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
    lock.withLock { waiting.append((time(in: milliseconds), action)) }
    return true
  }

  /// Calls everything that waits.
  public func callAll() {
    callAll(until: .max)
  }

  /// Lets time pass, and calls what is due then, the earliest first.
  /// - Parameter milliseconds: How much time.
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
