/// Runs a closure now, and again whenever something that it has read of shared state changes.
///
/// ```swift
/// let token = observe {
///   label.text = "\(count)"
/// }
/// ```
/// - It runs once per ``batch(_:)`` however much has changed, and only for the parts that it has
///   read: who reads `$user.name` does not run for `$user.age`.
/// - It may itself change state, and begin or end observations. One that never settles is reported
///   as an issue after 100 runs and left alone until the next turn.
/// - It is called when the outermost batch of the thread that makes the change ends, outside every
///   lock. What is observed by code on an actor, such as that of a `@MainActor` type, runs there:
///   in the same way where the change is made on the actor, and soon after one that is made
///   elsewhere. All else runs on the thread that makes the change: capture only what is safe to use
///   there.
/// - It never runs on two threads at once: one that finds it running leaves the next run to the
///   other.
/// - Returns: A token; the observation ends when it is cancelled or dropped.
@_disfavoredOverload
public func observe(
  fileID: StaticString = #fileID, line: UInt = #line, _ apply: @escaping () -> Void
) -> ObservationToken {
  ObservationToken(ObserverIsolation(), at: CallSite(fileID: fileID, line: line), apply)
}
