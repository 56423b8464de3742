/// The state of an observer and of its dependencies, in one byte: in the usual case, a change or a
/// run needs only one comparison.
struct ObserverState: OptionSet {
  let rawValue: UInt8

  /// Nothing changed, and no thread runs it. Not `[]`: with that, each change and each run would
  /// check whether the constant is initialized.
  static let idle = ObserverState()
  /// A dependency changed: it needs a run.
  static let stale = ObserverState(rawValue: 1)
  /// A dependency may have changed: it needs a run, unless a check finds no change.
  static let possiblyStale = ObserverState(rawValue: 2)
  /// A thread is running its closure.
  static let running = ObserverState(rawValue: 4)
  /// It never runs again.
  static let cancelled = ObserverState(rawValue: 8)
  /// A dependency may need a check.
  static let hasChecks = ObserverState(rawValue: 16)
  /// It reached the limit of marks in one turn.
  static let looping = ObserverState(rawValue: 32)
  /// It depends on a status of loading or saving, and runs after saves.
  static let observesStatus = ObserverState(rawValue: 64)
}
