/// Counts the unanswered requests to a key. Keys may answer in any order: an answer is outdated if
/// a later request was answered before.
struct RequestCount {
  /// The number of unanswered requests.
  private(set) var underWay = 0
  private var last: UInt32 = 0
  private var lastAnswered: UInt32 = 0

  /// Begins a request.
  /// - Returns: Its number.
  mutating func begin() -> UInt32 {
    underWay += 1
    last &+= 1
    return last
  }

  /// Records the answer to a request.
  /// - Returns: Whether no later request was answered before.
  mutating func end(_ number: UInt32) -> Bool {
    underWay -= 1
    guard Int32(truncatingIfNeeded: number &- lastAnswered) > 0 else { return false }
    lastAnswered = number
    return true
  }
}
