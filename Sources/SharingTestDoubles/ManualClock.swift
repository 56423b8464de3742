import SharingCore
import WasiStorage

/// A clock that moves only when a test advances it, for tests of delayed saves.
///
/// ```swift
/// clock.advance(by: 500)
/// ```
public final class ManualClock: SaveClock, @unchecked Sendable {
  private let lock = Lock()
  private var now = 0
  private var waiting: [Action] = []

  private typealias Action = (time: Int, call: @Sendable () -> Void)

  /// Creates a clock without pending actions.
  public init() {}

  /// Whether actions are pending.
  package var isWaiting: Bool { lock.withLock { !waiting.isEmpty } }

  /// Calls `action` when the clock has advanced by that time.
  public func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
    lock.withLock { waiting.append((time(in: milliseconds), action)) }
    return true
  }

  /// Calls the actions that are pending now, the earliest first. Those that they add wait.
  public func callAll() {
    var actions = lock.withLock {
      defer { waiting = [] }
      return waiting
    }
    while let next = Self.removeFirst(of: &actions, until: .max) { next.call() }
  }

  /// Drops the pending actions.
  package func cancelAll() { lock.withLock { waiting = [] } }

  /// Advances the clock, and calls the actions that are due, the earliest first.
  /// - Parameter milliseconds: The time to advance by.
  public func advance(by milliseconds: Int) {
    let end = lock.withLock { time(in: milliseconds) }
    while let next = take(until: end) { next.call() }
    lock.withLock { now = end }
  }

  /// The lock is held.
  private func time(in milliseconds: Int) -> Int {
    let (time, isTooLate) = now.addingReportingOverflow(milliseconds)
    return isTooLate ? .max : time
  }

  private func take(until end: Int) -> Action? {
    lock.withLock {
      guard let next = Self.removeFirst(of: &waiting, until: end) else { return nil }
      now = max(now, next.time)
      return next
    }
  }

  /// Removes and returns the earliest action; nil if none is due.
  private static func removeFirst(of actions: inout [Action], until end: Int) -> Action? {
    var first: Int?
    for index in actions.indices where actions[index].time <= end {
      if first == nil || actions[index].time < actions[first!].time { first = index }
    }
    return first.map { actions.remove(at: $0) }
  }
}
