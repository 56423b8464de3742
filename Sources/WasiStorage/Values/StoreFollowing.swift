/// Whether a value follows changes by other tabs and programs.
///
/// ```swift
/// @Shared(.localStorage("search", following: .never)) var search = ""
/// ```
public enum StoreFollowing: Sendable {
  /// Shows changes when the store reports them, and reads the store before each own change.
  case always
  /// Reads the store once. Each tab or program begins with the last stored value and then keeps its
  /// own. A save replaces the stored value. `load()` reads the store again.
  ///
  /// The wrappers of one item in one program still share one value. The first one decides whether
  /// it follows changes.
  case never
}
