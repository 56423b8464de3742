import SharingCore

/// What the model knows of one value and its store: by the rules, not by how the code does it.
///
/// This one is that of a value without a key, and what the others have in common.
class WalkCell {
  /// Why the value could not be loaded, or saved, as far as a wrapper tells.
  enum Trouble { case none, replaced, damaged, full, refused }

  /// Whether there is a change in the turn under way that was not handed to the key.
  final var isUnsaved = false
  final var loadTrouble = Trouble.none
  final var saveTrouble = Trouble.none
  /// Called when the value has been replaced as a whole.
  final var onReplace: () -> Void = {}

  /// Before a change: the freshest value counts (rule R13).
  func look() {}

  /// The value has been changed.
  func change() {}

  /// The outermost batch has ended: the value is saved (rule R12).
  func endTurn() {}

  /// Whether the rules say what becomes of the value when it is loaded now.
  var canLoad: Bool { true }

  func load() {}
  func save() {}
  func reset() {}

  /// The store tells of a change, or somebody thinks that it would.
  func hear() { look() }

  /// Time passes, up to a point.
  func wait(until time: Int) {}

  /// What is wrong with the real value's store; nil when nothing is.
  func problem(in walk: Walk) -> String? { nil }
}
