/// What an observer is about and what is known of its dependencies: in one byte, so that a change
/// and a run ask once where nothing is special.
struct ObserverState: OptionSet {
  let rawValue: UInt8

  /// Nothing has changed, and nobody runs it. Not `[]`, with which every change and every run asks
  /// whether the constant has been made.
  static let idle = ObserverState()
  /// Something that it has read has changed: it waits for a run.
  static let stale = ObserverState(rawValue: 1)
  /// Something may have changed: it waits for a run, unless a check says that nothing has.
  static let possiblyStale = ObserverState(rawValue: 2)
  /// A thread runs its closure.
  static let running = ObserverState(rawValue: 4)
  /// It does not run any more.
  static let cancelled = ObserverState(rawValue: 8)
  /// A dependency may need a check.
  static let hasChecks = ObserverState(rawValue: 16)
  /// It has been marked stale in one turn once too often.
  static let looping = ObserverState(rawValue: 32)
  /// It depends on how loading or saving went: it runs when that is known.
  static let observesStatus = ObserverState(rawValue: 64)
}
