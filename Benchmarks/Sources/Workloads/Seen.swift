/// Where a value goes that has been read, so that the optimizer has to read it.
///
/// Memory that is never freed, and not a variable: those are checked for exclusive access, which
/// would be timed too.
public struct Seen: @unchecked Sendable {
  private let address: UnsafeMutablePointer<Int>

  /// A place in which nothing has been seen yet.
  public init() {
    address = .allocate(capacity: 1)
    address.initialize(to: 0)
  }

  /// What was seen last.
  public var value: Int {
    get { address.pointee }
    nonmutating set { address.pointee = newValue }
  }
}
