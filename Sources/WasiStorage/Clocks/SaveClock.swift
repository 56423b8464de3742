import CHost
import SharingCore

/// The clock of delayed saves and retries, one per environment.
///
/// ```swift
/// let clock = ManualClock()
/// SharingEnvironment.current.stores.clock = clock
/// ```
public protocol SaveClock: AnyObject, Sendable {
  /// Calls `action` once, on any thread, after a delay.
  /// - Parameters:
  ///   - milliseconds: The delay.
  ///   - action: The closure to call.
  /// - Returns: Whether it will be called; false on a host without timers.
  func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool

  /// Calls all pending actions now: the program may be about to end.
  func callAll()
}

/// The timers of a page.
final class BrowserClock: SaveClock, @unchecked Sendable {
  /// Shared by all environments: the page passes only a timer's number.
  static let shared = BrowserClock()
  /// The handler of the export. Set with the first timer, so that a program without timers does not
  /// link this class.
  nonisolated(unsafe) static var onTimer: ((Int32) -> Void)?

  private let lock = Lock()
  private var waiting: [(number: Int32, action: @Sendable () -> Void)] = []
  private var lastNumber: Int32 = 0

  func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool {
    Self.onTimer = { Self.shared.fire($0) }
    let number = lock.withLock {
      lastNumber &+= 1
      return lastNumber
    }
    guard sharing_timer_set(number, Int32(clamping: milliseconds)) > 0 else { return false }
    lock.withLock { waiting.append((number, action)) }
    return true
  }

  func callAll() {
    let actions = lock.withLock {
      defer { waiting = [] }
      return waiting
    }
    batch { for (_, action) in actions { action() } }
  }

  private func fire(_ number: Int32) {
    let action = lock.withLock {
      waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0).action }
    }
    action?()
  }
}
