import SharingCore

/// The model of one value and its store. It follows the rules, not the implementation.
///
/// This class models a value without a key, and is the base class of the others.
class WalkCell {
  /// The reason why the value could not be loaded or saved, as far as a wrapper reports it.
  enum Trouble { case none, replaced, damaged, full, refused }

  /// Whether a change of the current turn was not passed to the key yet.
  final var isUnsaved = false
  final var loadTrouble = Trouble.none
  final var saveTrouble = Trouble.none
  /// Called when the value has been replaced as a whole.
  final var onReplace: () -> Void = {}

  /// Called before a change: it applies to the newest value (rule R13).
  func look() {}

  /// Called after a change of the value.
  func change() {}

  /// Called after the outermost batch: the value is saved (rule R12).
  func endTurn() {}

  /// Whether the rules define the result of a load now.
  var canLoad: Bool { true }

  func load() {}
  func save() {}
  func reset() {}

  /// Called on a notification by the store, also on a spurious one.
  func hear() { look() }

  /// Lets time pass up to a point.
  func wait(until time: Int) {}

  /// Returns the problem of the real value's store; nil if there is none.
  func problem(in walk: Walk) -> String? { nil }
}
