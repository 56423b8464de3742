/// Runs a closure now, and again whenever something that it has read of shared state changes.
///
/// ```swift
/// let token = observe {
///   label.text = "\(count)"
/// }
/// ```
/// - It runs once per ``batch(_:)`` however much has changed, and only for the parts that it has
///   read: who reads `$user.name` is not woken by `$user.age`.
/// - It may itself change state, and begin or end observations. One that never settles is reported
///   as an issue after 100 runs and left alone until the next turn.
/// - It is called on the thread that makes the change, when that thread's outermost batch ends, outside
///   every lock. It never runs on two threads at once: one that finds it running leaves the next run
///   to the other. Capture only what is safe to use there.
/// - Returns: A token; the observation ends when it is cancelled or dropped.
public func observe(
  fileID: StaticString = #fileID, line: UInt = #line, _ apply: @escaping () -> Void
) -> ObservationToken {
  let observer = Observer(at: CallSite(fileID: fileID, line: line), apply)
  observer.start()
  return ObservationToken(observer)
}
