/// A change of a value in memory to what is stored: some elements of an array become other ones.
///
/// It is prepared without a lock, since that decodes elements (rule R7), and applied under the
/// cell's lock. Only array types of storable elements make patches; programs do not call this.
public protocol _ValuePatch: AnyObject {
  /// The elements that the patch changes.
  var changes: ElementChanges { get }

  /// Changes the value at an address in place: a copy would retain each of thousands of elements.
  /// Destroys no element, since the value is under its lock.
  func apply(to value: UnsafeMutableRawPointer)
}
