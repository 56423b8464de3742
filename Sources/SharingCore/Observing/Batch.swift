/// Runs an operation whose changes count as one: observers run once, and each value is saved once,
/// when the outermost batch ends.
///
/// ```swift
/// batch {
///   $first.withLock { $0 = "Ada" }
///   $last.withLock { $0 = "Lovelace" }
/// }
/// ```
/// - Returns: What the operation returns.
/// - Throws: What the operation throws; what was changed until then is observed and saved all the
///   same.
public func batch<Output, Failure: Error>(
  _ operation: () throws(Failure) -> Output
) throws(Failure) -> Output {
  let scheduler = Scheduler.current
  scheduler.begin()
  defer { scheduler.end() }
  return try operation()
}
