/// A destination for values, so that the optimizer cannot remove their reads.
///
/// It is memory that is never freed instead of a variable: access to a variable is checked for
/// exclusivity, and the check would be timed too.
public struct Seen: @unchecked Sendable {
  private let address: UnsafeMutablePointer<Int>

  /// Creates an empty destination.
  public init() {
    address = .allocate(capacity: 1)
    address.initialize(to: 0)
  }

  /// The last value.
  public var value: Int {
    get { address.pointee }
    nonmutating set { address.pointee = newValue }
  }
}
