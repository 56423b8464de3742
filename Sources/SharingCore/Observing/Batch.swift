/// Runs an operation and treats its changes as one. When the outermost batch ends, each observer
/// runs once and each value is saved once.
///
/// ```swift
/// batch {
///   $first.withLock { $0 = "Ada" }
///   $last.withLock { $0 = "Lovelace" }
/// }
/// ```
/// - Returns: The result of the operation.
/// - Throws: The error of the operation. Its changes up to that point are observed and saved.
public func batch<Output, Failure: Error>(
  _ operation: () throws(Failure) -> Output
) throws(Failure) -> Output {
  let scheduler = Scheduler.current
  scheduler.begin()
  defer { scheduler.end() }
  return try operation()
}
