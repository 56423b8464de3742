/// Whether a value follows what others store under its key.
///
/// ```swift
/// @Shared(.localStorage("search", following: .never)) var search = ""
/// ```
public enum StoreFollowing: Sendable {
  /// What others store shows up when the store tells of it, and is looked at before each change.
  case always
  /// The value is read once: each tab, or program, begins with what was stored last and keeps its
  /// own from then on. What it stores replaces what is there. `load()` reads the store anew.
  ///
  /// The wrappers of one item in one program share one value all the same; the first one decides
  /// whether it follows.
  case never
}
