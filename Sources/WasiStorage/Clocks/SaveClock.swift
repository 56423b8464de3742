/// What calls back later: the clock of saves that are put off, one per environment.
///
/// ```swift
/// let clock = ManualClock()
/// SharingEnvironment.current.stores.clock = clock
/// ```
public protocol SaveClock: AnyObject, Sendable {
  /// Calls `action` once, on any thread, when the time is over.
  /// - Parameters:
  ///   - milliseconds: How long to wait.
  ///   - action: What is called.
  /// - Returns: Whether it will; a host without timers does not.
  func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool

  /// Calls everything that waits, now: there may be no later.
  func callAll()
}
