import SharingCore

/// When a changed value is written to its store.
///
/// ```swift
/// @Shared(.localStorage("draft", saving: .debounced(milliseconds: 500))) var draft = ""
/// ```
public struct SaveTiming: Sendable {
  /// A closure, so that a program in which nothing is put off does not carry what does it.
  let makeDelay: (@Sendable () -> SaveDelay)?

  /// At the end of the turn in which it was changed.
  public static var immediately: SaveTiming { SaveTiming(makeDelay: nil) }

  /// When it has not changed for a while, once for all changes; for values that change often.
  ///
  /// - It is written at once by `save()` and `load()`, when the page is hidden or left, by
  ///   ``DefaultStores/flush()``, at the end of a native program, and where the host has no timers
  ///   (a WASI runtime). A crash loses what was changed since.
  /// - Before it is written, and before every change, the key looks at the store. If another
  ///   program has stored something meanwhile, that is shown, as others see it already. The value
  ///   that was not written yet is kept under `<key>.replaced`, and `loadError` says so with the
  ///   reason ``StorageError/Reason/replaced``. If the other program has removed the item, it stays
  ///   removed.
  /// - Parameter milliseconds: How long it has to rest, by ``DefaultStores/clock``.
  public static func debounced(milliseconds: Int) -> SaveTiming {
    SaveTiming {
      DebouncedSave(
        milliseconds: milliseconds, clock: SharingEnvironment.current.stores.clockForKey)
    }
  }
}

/// What puts off the saves of one item: an abstract class, for the same reason as above.
class SaveDelay: @unchecked Sendable {
  /// Saves later, or now.
  func save(_ save: PendingSave, now: Bool) { fatalError("save(_:now:) is overridden") }

  /// Saves what waits.
  func flush() { fatalError("flush() is overridden") }

  /// Gives up what waits, since the store has something newer.
  /// - Returns: What to say of it; nil when nothing is lost.
  func giveUp(for news: StoredBytes.Seen) -> StorageError? {
    fatalError("giveUp(for:) is overridden")
  }
}

/// A save that has still to be done.
struct PendingSave {
  /// Makes the bytes, nil to remove the item. It is told which elements of an array have changed since
  /// it was last called; nil where that is unknown.
  typealias Encode = @Sendable (_ changed: [Int]?) throws(StorageError) -> [UInt8]?

  let bytes: StoredBytes
  /// Making the bytes is put off too: it is most of the work. So the value is kept meanwhile, which
  /// costs a copy of an array when that is changed again.
  let encode: Encode
  var changed: [Int]?
  /// Hears how it went.
  let continuation: SaveContinuation

  /// Takes the place of an earlier save, whose value nobody will encode.
  mutating func replace(_ earlier: PendingSave) {
    guard var union = earlier.changed, let changed else { return changed = nil }
    for position in changed { union.insertAscending(position) }
    self.changed = union
  }
}
