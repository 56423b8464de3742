import SharingCore

/// When a changed value is written to its store.
///
/// ```swift
/// @Shared(.localStorage("draft", saving: .debounced(milliseconds: 500))) var draft = ""
/// ```
public struct SaveTiming: Sendable {
  /// Makes what puts off the saves of one value; nil where nothing does. A function, so that a
  /// program in which nothing is put off does not carry what does it.
  let makeDelay: (@Sendable () -> any SaveDelay)?

  /// At the end of the turn in which it was changed.
  public static let immediately = SaveTiming(makeDelay: nil)

  /// When it has not changed for a while, once for all changes; for values that change often. A
  /// value that goes on changing is written all the same, when its first change has waited for
  /// `atMost`.
  ///
  /// - It is written at once by `save()` and `load()`, when the page is hidden or left, by
  ///   ``DefaultStores/flush()``, at the end of a native program, and where the host has no timers
  ///   (a WASI runtime). A crash loses what was changed since.
  /// - Before it is written, and before every change, the key looks at the store. If another
  ///   program has stored something meanwhile, that is shown, as others see it already. The value
  ///   that was not written yet is kept under `<key>.replaced`, and `loadError` says so with the
  ///   reason ``SharingCore/StorageError/Reason/replaced``. If the other program has removed the
  ///   item, it stays removed. Of a change that left the value as it was stored, nothing is lost,
  ///   and nothing is said.
  /// - Parameters:
  ///   - milliseconds: How long it has to rest, by ``DefaultStores/clock``.
  ///   - atMost: The longest time that a change waits, in milliseconds: a crash loses no more than
  ///     that. By default, ten times as long as it has to rest.
  public static func debounced(milliseconds: Int, atMost: Int? = nil) -> SaveTiming {
    let limit = atMost ?? milliseconds.tenfold
    // What this calls reads the environment. Of a closure that does so itself, as Swift 6.3.1 makes
    // it for wasm, no saves are written when the page is left; Tests/browser/test_keys.py shows it.
    return SaveTiming { DebouncedSave.make(milliseconds, limit) }
  }
}

extension Int {
  /// Ten times the number, or the largest one.
  fileprivate var tenfold: Int {
    let (product, isTooLarge) = multipliedReportingOverflow(by: 10)
    return isTooLarge ? .max : product
  }
}

/// What puts off the saves of one value.
package protocol SaveDelay: AnyObject, Sendable {
  /// Saves later, or now where somebody has asked for it.
  func save(_ save: PendingSave, of value: StoredValue)

  /// Saves what waits.
  func flush()

  /// Gives up what waits, since the store has something newer.
  /// - Parameter origin: What the store held before, from which the value in memory comes.
  /// - Returns: What was given up; nil if nothing waits.
  func giveUp(_ value: StoredValue, for newer: LastKnown, from origin: LastKnown) -> GivenUpSave?
}

/// A save that was given up.
package struct GivenUpSave {
  /// What to say of it; nil if nothing is lost.
  let loss: StorageError?
}

/// A save that has still to be done. Encoding is put off too: it is most of the work. So a copy of
/// the value is kept meanwhile, which costs a copy of an array when that is changed again.
package enum PendingSave {
  case save(SaveRequest)
  case remove(SaveRequest)

  /// The request, to be answered.
  var request: SaveRequest {
    switch self {
    case .save(let request), .remove(let request): request
    }
  }
}
