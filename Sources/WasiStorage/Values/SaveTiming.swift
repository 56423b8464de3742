import SharingCore

/// When a changed value is written to its store.
///
/// ```swift
/// @Shared(.localStorage("draft", saving: .debounced(milliseconds: 500))) var draft = ""
/// ```
public struct SaveTiming: Sendable {
  /// Creates the delay for the saves of one value; nil for no delay. A function, so that programs
  /// without delayed saves do not link their code.
  let makeDelay: (@Sendable () -> any SaveDelay)?

  /// Writes a changed value at the end of the turn.
  public static let immediately = SaveTiming(makeDelay: nil)

  /// Writes a value after it has not changed for a while; for values that change often. A value
  /// that keeps changing is written when its first change has waited for `atMost`.
  ///
  /// - It is written at once by `save()` and `load()`, when the page is hidden or left, by
  ///   ``DefaultStores/flush()``, at the end of a native program, and on a host without timers (a
  ///   WASI runtime). A crash loses the changes since the last write.
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
    return SaveTiming { DebouncedSave.make(milliseconds, limit) }
  }
}

extension Int {
  /// Ten times the number, at most the largest one.
  fileprivate var tenfold: Int {
    let (product, isTooLarge) = multipliedReportingOverflow(by: 10)
    return isTooLarge ? .max : product
  }
}

/// Delays the saves of one value.
package protocol SaveDelay: AnyObject, Sendable {
  /// Saves later, or now if the program has requested the save.
  func save(_ save: PendingSave, of value: StoredValue)

  /// Does the pending save now.
  func flush()

  /// Abandons the pending save, since the store has a newer value.
  /// - Parameter origin: The earlier contents of the store that the value in memory was made from.
  /// - Returns: The abandoned save; nil if none was pending.
  func abandon(for newer: ItemContents, from origin: ItemContents) -> AbandonedSave?
}

/// A save that was abandoned for a newer stored value.
package struct AbandonedSave {
  /// The error to report; nil if nothing is lost.
  let loss: StorageError?
}

/// A pending save. Encoding, most of the work, is delayed too. So the request keeps a copy of the
/// value meanwhile, and the next change of an array has to copy the array.
package enum PendingSave {
  case save(ValueToSave, SaveRequest)
  case remove(SaveRequest)

  /// The request, to be answered.
  var request: SaveRequest {
    switch self {
    case .save(_, let request), .remove(let request): request
    }
  }

  /// Returns this save with the changes of an earlier one, which it replaces.
  func replacing(_ earlier: PendingSave?) -> PendingSave {
    guard case .save(let value, let request) = self, case .save(let former, _)? = earlier else {
      return self
    }
    return .save(value.replacing(former), request)
  }
}
