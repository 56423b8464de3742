import SharingCore

/// When a changed value is written to its store.
///
/// ```swift
/// @Shared(.localStorage("draft", saving: .debounced(milliseconds: 500))) var draft = ""
/// ```
public struct SaveTiming: Sendable {
  /// Creates the pause before the saves of one value; nil for none. A function, so that programs
  /// without pauses do not link timers.
  let makePause: (@Sendable () -> SavePause)?

  /// Writes a changed value at the end of the turn.
  public static let immediately = SaveTiming(makePause: nil)

  /// Writes a value after it has not changed for a while; for values that change often. A value
  /// that keeps changing is written when its first change has waited for `atMost`.
  ///
  /// - It is written at once by `save()` and `load()`, when the page is hidden or left, by
  ///   ``DefaultStores/flush()``, at the end of a native program, and on a host without timers (a
  ///   WASI runtime). A crash loses the changes since the last write, and so does a signal without
  ///   ``DefaultStores/flushOnTermination()``.
  /// - The key reads the store before it writes the value, and before every change. If another
  ///   program has stored a value meanwhile, that value is shown. The unwritten value is kept under
  ///   `<key>.replaced`, and `loadError` has the reason
  ///   ``SharingCore/StorageError/Reason/replaced``. If the other program has removed the item, it
  ///   stays removed, and `loadError` has the same reason. No error is reported if the unwritten
  ///   value equals the stored one, old or new. A reset first reads the store. If that
  ///   read fails and another program has stored a value, its value stays, `loadError` has the same
  ///   reason, and the completion of the reset gets that error.
  /// - Parameters:
  ///   - milliseconds: The time without changes before the value is written, by
  ///     ``DefaultStores/clock``.
  ///   - atMost: The longest time that a change waits, in milliseconds; a crash loses no more. By
  ///     default, ten times `milliseconds`.
  public static func debounced(milliseconds: Int, atMost: Int? = nil) -> SaveTiming {
    let limit = atMost ?? milliseconds.tenfold
    // `make` reads the environment. If this closure reads it itself, as compiled by Swift 6.3.1 for
    // wasm, no saves are written when the page is left; Tests/browser/test_keys.py shows it.
    return SaveTiming { .make(milliseconds, limit) }
  }
}

extension Int {
  /// Ten times the number, at most the largest one.
  fileprivate var tenfold: Int {
    let (product, isTooLarge) = multipliedReportingOverflow(by: 10)
    return isTooLarge ? .max : product
  }
}

/// The pause between a change and its save.
struct SavePause: Sendable {
  private let milliseconds: Int
  /// The longest time that a change waits, in milliseconds.
  private let limit: Int
  private let clock: any SaveClock

  /// Creates a pause by the environment's clock.
  static let make: @Sendable (_ milliseconds: Int, _ limit: Int) -> SavePause = {
    SavePause(
      milliseconds: $0, limit: $1, clock: SharingEnvironment.current.stores.clockForKey)
  }

  /// Calls `done` at the end of the pause.
  /// - Returns: Whether it will be called; false on a host without timers.
  func start(isLongest: Bool, _ done: @escaping @Sendable () -> Void) -> Bool {
    clock.call(after: isLongest ? limit : milliseconds, done)
  }
}
