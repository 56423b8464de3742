/// Counts what a key has been asked for and has not answered yet. Keys may answer in any order:
/// what an answer says no longer holds once a later request has been answered.
struct RequestCount {
  /// How many have not been answered.
  private(set) var underWay = 0
  private var last: UInt32 = 0
  private var lastAnswered: UInt32 = 0

  /// - Returns: The number of a new request.
  mutating func begin() -> UInt32 {
    underWay += 1
    last &+= 1
    return last
  }

  /// Notes the answer to a request.
  /// - Returns: Whether no later one has been answered yet.
  mutating func end(_ number: UInt32) -> Bool {
    underWay -= 1
    guard Int32(truncatingIfNeeded: number &- lastAnswered) > 0 else { return false }
    lastAnswered = number
    return true
  }
}
