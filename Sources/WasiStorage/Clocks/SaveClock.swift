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
