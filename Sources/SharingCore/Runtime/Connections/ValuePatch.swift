/// The difference of a stored array from the one in memory. Not for programs.
///
/// It is prepared without a lock, since that decodes elements (rule R7), and applied under the
/// cell's lock. Arrays of storable elements make patches; other values are replaced as a whole.
public protocol _ValuePatch: AnyObject {
  /// The elements that the patch changes.
  var changes: ElementChanges { get }

  /// Changes the value at an address in place: a copy would retain each of thousands of elements.
  /// Destroys no element, since the value is under its lock.
  func apply(to value: UnsafeMutableRawPointer)
}
